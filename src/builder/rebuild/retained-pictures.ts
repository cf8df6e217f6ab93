/** Repairs damaged picture files, and removes picture files that no page shows any more. */
import type { Pictures } from '../pictures/pictures.ts'
import type { WrittenState } from './write-pages.ts'
import { readPictureFiles, writeFile } from './write-pages.ts'
import type { SiteRecord } from '../state/record/record.ts'

/** Max files of a site on the paid plan. Source: https://developers.cloudflare.com/workers/platform/limits/ */
export const MOST_FILES = 100_000

/**
 * Marks a page unsure if it shows a damaged picture file that cannot be restored, because the picture store has lost
 * the picture too. Must be called before the plan is made, so that the plan renders these pages.
 */
export function markLostPictures(record: SiteRecord, pictures: Pictures): void {
  const lost = record.readUnsurePictures().filter((path) => pictures.readFile(path) === null)
  const pages = new Set(lost.flatMap((path) => record.readShowing(path)))
  if (pages.size > 0) record.markUnsurePaths([...pages])
}

/**
 * Protocol state `removed`. Writes damaged files again, and removes files that were retained for three publishes; all
 * unshown files if there are too many files, because without a publish no retention ends.
 */
export function updatePictureFiles(site: WrittenState): void {
  const { record, output, pictures } = site
  const unsure = record.readUnsurePictures().filter((path) => pictures.readFile(path) !== null)
  const files = readPictureFiles(unsure, site)
  for (const { row, bytes } of files) writeFile(output, row, bytes)
  const expired = record.readExpired(MOST_FILES)
  output.remove(expired)
  if (files.length + expired.length === 0) return
  record.write(
    files.map(({ row }) => row),
    expired,
  )
}
