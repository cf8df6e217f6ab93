/** What becomes of picture files that are damaged, or that no page shows any more. */
import type { Pictures } from '../pictures/pictures.ts'
import type { SiteState } from './execute.ts'
import { writeFile } from './execute.ts'
import { readPictureFiles } from './picture-files.ts'
import type { SiteRecord } from '../state/record/record.ts'

/** Before the plan: pages are rendered anew that show a damaged file which the store cannot give again. */
export function markLostPictures(record: SiteRecord, pictures: Pictures): void {
  const lost = record.readUnsurePictures().filter((path) => pictures.readFile(path) === null)
  const pages = new Set(lost.flatMap((path) => record.readShowing(path)))
  if (pages.size > 0) record.markUnsurePaths([...pages])
}

/** After the pages: damaged files are written again; those that visitors have had their time with go. */
export function settlePictures(site: SiteState): void {
  const { record, output, pictures } = site
  const unsure = record.readUnsurePictures().filter((path) => pictures.readFile(path) !== null)
  const files = readPictureFiles(unsure, site)
  for (const { row, bytes } of files) writeFile(output, row, bytes)
  const expired = record.readExpired()
  for (const path of expired) output.remove(path)
  if (files.length + expired.length === 0) return
  record.write(
    files.map(({ row }) => row),
    expired,
  )
}
