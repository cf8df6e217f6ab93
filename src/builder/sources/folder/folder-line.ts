/** Parses one line of a folder's file: `{"id":"…","updateTime":"<RFC 3339, optional>","data":{…}}`. */
import type { Collection } from '../../../domain/documents/document.ts'
import { isRecord, parseJson } from '../../../domain/documents/json.ts'
import type { Line } from './read-lines.ts'
import { MAX_LINE } from './read-lines.ts'
import type { DocumentKey, SourceItem } from '../source.ts'

/** Maximum nesting of lists and maps in `data`. Firestore allows 20, SQLite's JSON functions 1,000. */
const MAX_DEPTH = 100

/** Returns `null` for a blank line. */
export function parseLine(collection: Collection, { number, text }: Line): SourceItem | null {
  const reject = (reason: string, key: DocumentKey | null = null, id = `line ${number}`): SourceItem => {
    const where = `(line ${number} of ${formatFileName(collection)})`
    return {
      kind: 'unreadable',
      key,
      problem: { collection, id: key?.id ?? id, field: '', reason: `${reason} ${where}`, fatal: true },
    }
  }
  if (text === null) return reject(`is longer than ${MAX_LINE} bytes`)
  if (text.trim() === '') return null
  const fields = parseJson(text)
  if (!isRecord(fields)) return reject('is not a JSON object')
  const { id, updateTime, data } = fields
  if (typeof id !== 'string' || id === '')
    return reject('has no id, which must be a string that is not empty')
  if (!id.isWellFormed()) return reject('has an id with half of a surrogate pair', null, id.toWellFormed())
  const key = { collection, id }
  if (data === undefined) return reject('has no data', key)
  if (isDeeper(data, MAX_DEPTH)) return reject(`has data nested deeper than ${MAX_DEPTH} levels`, key)
  return { kind: 'document', document: { collection, id, updateTime: formatTime(updateTime), data } }
}

export function formatFileName(collection: Collection): string {
  return `${collection}.ndjson`
}

function formatTime(updateTime: unknown): string | null {
  return typeof updateTime === 'string' ? updateTime : null
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1))
}
