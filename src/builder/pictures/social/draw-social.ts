/** Draws a picture for shared links, of a seller or of the home page. */
import type { OverlayOptions } from 'sharp'
import sharp from 'sharp'
import { formatSocialPath } from '../photos/picture-names.ts'
import type { SocialInputs, SocialPhoto, SocialTools } from './social-inputs.ts'
import type { Tile } from './social-layout.ts'
import { drawBase, layTiles } from './social-layout.ts'
import type { StoredFile } from '../store/photo-store.ts'

/** Max size of the file in bytes. WhatsApp does not show larger pictures. */
const MAX_BYTES = 300_000
const QUALITIES = [84, 72, 60, 45]
const SHELF = '#f0e7dc'
const RADIUS = 20

/** Dots per inch at which an SVG is rasterized: enough for a tile. */
const DENSITY = 144

export async function drawSocial(inputs: SocialInputs, tools: SocialTools): Promise<StoredFile> {
  const tiles = layTiles(inputs.photos.length)
  const overlays = await Promise.all(
    inputs.photos.flatMap((photo, index) => {
      const tile = tiles[index]
      if (tile === undefined) return []
      // The tile of a photo that cannot be drawn stays empty.
      return [drawTile(readPhoto(photo, tools), tile).catch(() => drawTile(null, tile))]
    }),
  )
  const { data, info } = await sharp(Buffer.from(drawBase(inputs)))
    .composite(overlays)
    .flatten()
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  for (const quality of QUALITIES) {
    const bytes = await sharp(data, { raw: info }).jpeg({ quality, mozjpeg: true }).toBuffer()
    if (bytes.length <= MAX_BYTES) return { path: formatSocialPath(bytes), bytes }
  }
  throw new Error(`the picture for ${inputs.address} exceeds ${MAX_BYTES} bytes at the lowest JPEG quality`)
}

function readPhoto({ kind, path }: SocialPhoto, { store, readPublicFile }: SocialTools): Uint8Array | null {
  return kind === 'stored' ? store.readFile(path) : readPublicFile(path)
}

async function drawTile(bytes: Uint8Array | null, { left, top, ...size }: Tile): Promise<OverlayOptions> {
  const [width, height] = [Math.round(size.width), Math.round(size.height)]
  const mask = `<svg width="${width}" height="${height}"><rect width="100%" height="100%" rx="${RADIUS}"/></svg>`
  const empty = { create: { width, height, channels: 3 as const, background: SHELF } }
  const photo = bytes === null ? sharp(empty) : sharp(bytes, { density: DENSITY })
  const input = await photo
    .resize(width, height, { fit: 'cover' })
    .flatten({ background: SHELF })
    .ensureAlpha()
    .composite([{ input: Buffer.from(mask), blend: 'dest-in' }])
    .png({ compressionLevel: 1 })
    .toBuffer()
  return { input, left: Math.round(left), top: Math.round(top) }
}
