/** Draws small photos for the public folders of the proofs, so that no network is needed. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import sharp from 'sharp'

/** With `off`, photos are shown under their original address; with `service`, the edge makes the pictures. */
export type PhotoMode = 'files' | 'service' | 'off'

/** The photo addresses in documents of the proofs; a public folder has some of the files. */
export const OWN_PHOTOS = ['/proof/a.jpg', '/proof/b.jpg', '/proof/c.jpg']

/** `broken` is a file that is not a photo. */
export type PhotoColour = 'tomato' | 'teal' | 'gold' | 'navy' | 'broken'

/** `colours` are those of the first photo, the second, and so on. */
export async function writePhotos(publicFolder: string, colours: readonly PhotoColour[]): Promise<void> {
  for (const [index, colour] of colours.entries()) {
    const file = join(publicFolder, OWN_PHOTOS[index] ?? `/proof/${index}.jpg`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, colour === 'broken' ? 'no photo at all' : await drawPhoto(colour))
  }
}

/** Photos of these colours are large enough for the preview that a link to the product shows. */
const LARGE = new Set(['tomato', 'gold', 'plum'])

export function drawPhoto(background: string): Promise<Uint8Array> {
  const size = LARGE.has(background) ? { width: 320, height: 400 } : { width: 64, height: 80 }
  return sharp({ create: { ...size, channels: 3, background } })
    .jpeg()
    .toBuffer()
}

/** Removes own photos that `publicFiles` lacks from the JSON of a document, as pages do. */
export function hideLostPhotos(text: string, publicFiles: Readonly<Record<string, unknown>>): string {
  return text.replace(/"photo":"\/(proof\/\w+\.jpg)"/, (field, path: string) =>
    path in publicFiles ? field : '"photo":null',
  )
}
