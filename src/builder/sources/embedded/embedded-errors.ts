/** Explains SQLite's result codes and what to do about them. Source: https://sqlite.org/rescode.html */
import { readResultCode } from '../../result-codes.ts'
import { SourceError } from '../source.ts'
import { readMessage } from '../../../domain/documents/errors.ts'

const SOUND_FILE = 'restore a backup, or recreate the file with `npm run import`'
const PERMISSION = 'you need permission to read and write the file and its folder'

const MEANINGS: ReadonlyMap<number, string> = new Map([
  [3, PERMISSION],
  [5, 'another program is writing to it: wait until it is done, or close it'],
  [6, 'another program is writing to it: wait until it is done, or close it'],
  [8, PERMISSION],
  [10, 'the disk cannot be read or written: check that it has free space and is sound'],
  [11, `it is damaged: ${SOUND_FILE}`],
  [13, 'the disk is full: make room'],
  [14, PERMISSION],
  [23, PERMISSION],
  [26, `it is not a SQLite database: name another file, or ${SOUND_FILE}`],
])

export function explainSqlite(path: string, error: unknown): SourceError {
  if (error instanceof SourceError) return error
  const why = readMessage(error)
  const next = MEANINGS.get(readResultCode(error)) ?? `check that it is a sound database, or ${SOUND_FILE}`
  return new SourceError(`cannot use the database ${path} (${why}): ${next}`, { cause: error })
}
