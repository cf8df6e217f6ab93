/** Photos that need no network: made here, small, for the public folders of the proofs. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import sharp from 'sharp'

/** `off`: photos are shown under their original address. */
export type PhotoMode = 'files' | 'off'

/** Where documents of the proofs say that photos stand; a public folder has some of them. */
export const OWN_PHOTOS = ['/proof/a.jpg', '/proof/b.jpg', '/proof/c.jpg']

/** `broken`: a file that is no photo. */
export type PhotoColour = 'tomato' | 'teal' | 'gold' | 'navy' | 'broken'

/** `colours`: of the first photo, the second, and so on. */
export async function writePhotos(publicFolder: string, colours: readonly PhotoColour[]): Promise<void> {
  for (const [index, colour] of colours.entries()) {
    const file = join(publicFolder, OWN_PHOTOS[index] ?? `/proof/${index}.jpg`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, colour === 'broken' ? 'no photo at all' : await drawPhoto(colour))
  }
}

function drawPhoto(background: string): Promise<Uint8Array> {
  return sharp({ create: { width: 64, height: 80, channels: 3, background } })
    .jpeg()
    .toBuffer()
}

/** The JSON of a document as pages of a site with these public files show it: a photo of its own that it lacks is none. */
export function hideLostPhotos(text: string, publicFiles: Readonly<Record<string, unknown>>): string {
  return text.replace(/"photo":"\/(proof\/\w+\.jpg)"/, (field, path: string) =>
    path in publicFiles ? field : '"photo":null',
  )
}
