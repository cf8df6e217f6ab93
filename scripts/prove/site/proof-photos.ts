/** Draws small photos for the public folders of the proofs, so that no network is needed. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import sharp from 'sharp'

/**
 * `files`: a rebuild makes smaller pictures of the photos. `service`: the edge makes them. `off`: pages show the photos
 * at their original addresses.
 */
export type PhotoMode = 'files' | 'service' | 'off'

/**
 * Paths of photos in the public folder, as documents of the proofs name them. Some public folders lack some of the
 * files.
 */
export const OWN_PHOTOS = ['/proof/a.jpg', '/proof/b.jpg', '/proof/c.jpg']

/** `broken` is a file that is not a photo. */
export type PhotoColour = 'tomato' | 'teal' | 'gold' | 'navy' | 'broken'

/** Writes a photo of each colour, in the order of `OWN_PHOTOS`. */
export async function writePhotos(publicFolder: string, colours: readonly PhotoColour[]): Promise<void> {
  for (const [index, colour] of colours.entries()) {
    const file = join(publicFolder, OWN_PHOTOS[index] ?? `/proof/${index}.jpg`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, colour === 'broken' ? 'no photo at all' : await drawPhoto(colour))
  }
}

/** Photos of these colours are drawn large enough to serve as the preview of a link to the product. */
const LARGE = new Set(['tomato', 'gold', 'plum'])

export function drawPhoto(background: string): Promise<Uint8Array> {
  const size = LARGE.has(background) ? { width: 320, height: 400 } : { width: 64, height: 80 }
  return sharp({ create: { ...size, channels: 3, background } })
    .jpeg()
    .toBuffer()
}

/**
 * In a document's JSON, replaces the path of a photo in the site's public folder with `null` if `publicFiles` lacks
 * this photo, because pages then show no photo.
 */
export function hideLostPhotos(text: string, publicFiles: Readonly<Record<string, unknown>>): string {
  return text.replace(/"photo":"\/(proof\/\w+\.jpg)"/, (field, path: string) =>
    path in publicFiles ? field : '"photo":null',
  )
}
