/** What the options of the proof programs have in common. */
import { InvalidArgumentError } from 'commander'
import type { PhotoMode } from './proof-photos.ts'

export const PHOTOS_HELP = 'with photos and pictures for shared links, which take time'

export function choosePhotos({ photos }: { readonly photos?: true }): PhotoMode {
  return photos === true ? 'files' : 'off'
}

export function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a number without sign or point.')
  return Number(text)
}
