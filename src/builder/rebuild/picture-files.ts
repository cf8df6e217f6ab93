/** Reads the picture files that a run must write to the output folder. */
import type { Pictures } from '../pictures/pictures.ts'
import { hashBytes } from '../state/manifest.ts'
import type { FileRow, RecordFiles } from '../state/record/record.ts'

export interface PictureFile {
  readonly row: FileRow
  readonly bytes: Uint8Array
}

/**
 * Returns the files among `paths` that the record does not list or marks unsure. Throws if the picture store has lost
 * one of them.
 */
export function readPictureFiles(
  paths: readonly string[],
  { record, pictures }: { record: Pick<RecordFiles, 'findDigest'>; pictures: Pick<Pictures, 'readFile'> },
): readonly PictureFile[] {
  return paths
    .filter((path) => record.findDigest(path) === null)
    .map((path) => {
      const bytes = pictures.readFile(path)
      if (bytes === null) throw new Error(`the picture store has lost ${path}`)
      return { row: createRow(path, hashBytes(bytes)), bytes }
    })
}

function createRow(path: string, digest: string): FileRow {
  return { path, kind: 'picture', seller: null, generation: 0, data: '', digest }
}
