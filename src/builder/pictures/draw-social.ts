/** Draws a picture for shared links, of a seller or of the home page. */
import type { OverlayOptions } from 'sharp'
import sharp from 'sharp'
import { SOCIAL_FOLDER } from '../../domain/photos/picture.ts'
import { hashAll } from './encode-photo.ts'
import type { StoredFile } from './photo-rows.ts'
import type { DrawnText } from './draw-text.ts'
import { cleanLetters, fitText } from './draw-text.ts'
import type { SocialInputs, SocialPhoto, SocialTools } from './social-inputs.ts'
import { SOCIAL_SIZE } from './social-inputs.ts'

/** Max size of the file in bytes. WhatsApp does not show larger pictures. */
const MAX_BYTES = 300_000
const QUALITIES = [84, 72, 60, 45]

const COLOURS = {
  awning: '#5e0f29',
  stripe: '#701635',
  gold: '#d9ab62',
  cream: '#fbf1e4',
  soft: '#e3c3bd',
  shelf: '#f0e7dc',
}
const CENTRE = SOCIAL_SIZE.width / 2

/** All text is within the middle square, with a margin, because chats crop the picture to that square. */
const TEXT_WIDTH = SOCIAL_SIZE.height - 2 * 30

// Two tiles of a row of four are whole within the middle square.
const TILE = { top: 322, width: 270, height: 284, radius: 20 }
const GAP = 30
const MOST_PHOTOS = 4

/** Dots per inch at which an SVG is rasterized: enough for a tile. */
const DENSITY = 144

/** Space of the name, and the middle of the line below it. */
interface TextPlace {
  readonly top: number
  readonly height: number
  readonly below: number
}

const ABOVE_PHOTOS: TextPlace = { top: 62, height: 176, below: 281 }
const ALONE: TextPlace = { top: 120, height: 320, below: 500 }

export async function drawSocial(inputs: SocialInputs, tools: SocialTools): Promise<StoredFile> {
  const photos = inputs.photos.slice(0, MOST_PHOTOS)
  const first = CENTRE - (photos.length * (TILE.width + GAP) - GAP) / 2
  const tiles = photos.map(async (photo, index): Promise<OverlayOptions> => {
    const left = first + index * (TILE.width + GAP)
    // The tile of a photo that cannot be drawn stays empty.
    const input = await drawTile(readPhoto(photo, tools)).catch(() => drawTile(null))
    return { input, left, top: TILE.top }
  })
  const { data, info } = await sharp(Buffer.from(drawAwning()))
    .composite([...(await Promise.all(tiles)), ...(await drawTexts(inputs))])
    .flatten()
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  for (const quality of QUALITIES) {
    const bytes = await sharp(data, { raw: info }).jpeg({ quality, mozjpeg: true }).toBuffer()
    if (bytes.length <= MAX_BYTES) return { path: `${SOCIAL_FOLDER}${hashAll([bytes])}.jpg`, bytes }
  }
  throw new Error(`the picture for ${inputs.address} exceeds ${MAX_BYTES} bytes at the lowest JPEG quality`)
}

/** If no letter of the name can be drawn, the address replaces the name. */
async function drawTexts({
  brand,
  name,
  address,
  line,
  photos,
}: SocialInputs): Promise<readonly OverlayOptions[]> {
  const { top, height, below } = photos.length === 0 ? ALONE : ABOVE_PHOTOS
  const title = (await cleanLetters(name)) || (await cleanLetters(address))
  const sizes = [92, 80, 70, 60, 52, 46, 40]
  const drawnName = await fitText(title, { sizes, width: TEXT_WIDTH, height }, (text) => [
    { text, colour: COLOURS.cream, weight: 700 },
  ])
  const mark = await cleanLetters(brand)
  const drawnLine = await fitText(mark, { sizes: [30, 26, 22], width: TEXT_WIDTH, height: 40 }, (text) => [
    { text, colour: COLOURS.gold, weight: 700 },
    { text: line, colour: COLOURS.soft, weight: 400 },
  ])
  return [placeText(drawnName, top + height / 2), placeText(drawnLine, below)]
}

function placeText({ png, width, height }: DrawnText, middle: number): OverlayOptions {
  return {
    input: Buffer.from(png),
    left: Math.round(CENTRE - width / 2),
    top: Math.round(middle - height / 2),
  }
}

function readPhoto({ kind, path }: SocialPhoto, { store, readPublicFile }: SocialTools): Uint8Array | null {
  return kind === 'stored' ? store.readFile(path) : readPublicFile(path)
}

function drawTile(bytes: Uint8Array | null): Promise<Buffer> {
  const { width, height, radius } = TILE
  const mask = `<svg width="${width}" height="${height}"><rect width="100%" height="100%" rx="${radius}"/></svg>`
  const empty = { create: { width, height, channels: 3 as const, background: COLOURS.shelf } }
  const photo = bytes === null ? sharp(empty) : sharp(bytes, { density: DENSITY })
  return photo
    .resize(width, height, { fit: 'cover' })
    .flatten({ background: COLOURS.shelf })
    .ensureAlpha()
    .composite([{ input: Buffer.from(mask), blend: 'dest-in' }])
    .png({ compressionLevel: 1 })
    .toBuffer()
}

/** Returns the background, with a striped awning along its upper edge whose stripes end in a round. */
function drawAwning(): string {
  const { width, height } = SOCIAL_SIZE
  const stripe = 60
  const stripes = Array.from({ length: width / stripe }, (_, index) => {
    const fill = index % 2 === 0 ? COLOURS.cream : COLOURS.stripe
    return `<path d="M${index * stripe} 0h${stripe}v22a${stripe / 2} 22 0 0 1-${stripe} 0z" fill="${fill}"/>`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">`,
    `<rect width="100%" height="100%" fill="${COLOURS.awning}"/>`,
    ...stripes,
    '</svg>',
  ].join('')
}
