/** A folder of two NDJSON files as a source, for interchange, migration and tests. It has no log of changes. */
import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Collection, SourceDocument } from '../../../domain/documents/document.ts'
import { COLLECTIONS } from '../../../domain/documents/document.ts'
import { readMessage } from '../../../domain/documents/errors.ts'
import { isRecord, parseJson } from '../../../domain/documents/json.ts'
import { chooseSellers } from '../find-seller.ts'
import type { DocumentKey, Source, SourceItem } from '../source.ts'
import { SourceError } from '../source.ts'

/** Max characters of a line. A Firestore document has at most 1 MiB. */
const MAX_LINE = 16 * 1024 * 1024

/** Maximum nesting of lists and maps in `data`. Firestore allows 20, SQLite's JSON functions 1,000. */
const MAX_DEPTH = 100

/** Throws a `SourceError` if the folder or one of its files is missing. */
export function openFolder(path: string): Source {
  checkFiles(path)
  return {
    label: `the folder ${path}`,
    readAll: () => ({ sellers: null, cursor: null, items: readFiles(path) }),
    readSellers: (sellers) => ({
      sellers: [...new Set(sellers)],
      cursor: null,
      items: chooseSellers(readFiles(path), sellers),
    }),
    readChanges: () => null,
    close: () => {},
  }
}

export function formatFileName(collection: Collection): string {
  return `${collection}.ndjson`
}

export function formatLine({ id, updateTime, data }: SourceDocument): string {
  return `${JSON.stringify({ id, updateTime: updateTime ?? undefined, data })}\n`
}

async function* readFiles(path: string): AsyncGenerator<SourceItem> {
  for (const collection of COLLECTIONS) {
    const file = join(path, formatFileName(collection))
    try {
      let number = 0
      for await (const line of readLines(file)) {
        const item = parseLine(collection, (number += 1), line)
        if (item !== null) yield item
      }
    } catch (error) {
      const why = readMessage(error)
      throw new SourceError(`cannot read ${file} (${why}): check that it is a file that you may read`, {
        cause: error,
      })
    }
  }
}

// Without this, a lost file would take all names, or all products, from the site.
function checkFiles(path: string): void {
  const missing = COLLECTIONS.map(formatFileName).filter((name) => !existsSync(join(path, name)))
  if (missing.length === 0) return
  throw new SourceError(
    `cannot read ${missing.join(' and ')} in the folder ${path}: name a folder that holds both files; one may be empty`,
  )
}

/** Splits a file of any size at line feeds, with little of it in memory. Invalid UTF-8 is replaced. */
async function* readLines(path: string): AsyncGenerator<string> {
  const chunks: AsyncIterable<string> = createReadStream(path, {
    encoding: 'utf8',
    highWaterMark: 256 * 1024,
  })
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()?.slice(0, MAX_LINE + 1) ?? ''
    yield* lines
  }
  yield rest
}

// A line is `{"id":"…","updateTime":"<RFC 3339, optional>","data":{…}}`. Returns `null` for a blank one.
function parseLine(collection: Collection, number: number, text: string): SourceItem | null {
  const reject = (reason: string, key: DocumentKey | null = null): SourceItem => {
    const where = `(line ${number} of ${formatFileName(collection)})`
    const problem = { collection, id: key?.id ?? `line ${number}`, field: '', fatal: true }
    return { kind: 'unreadable', key, problem: { ...problem, reason: `${reason} ${where}` } }
  }
  if (text.length > MAX_LINE) return reject(`is longer than ${MAX_LINE} characters`)
  if (text.trim() === '') return null
  const fields = parseJson(number === 1 ? text.replace(/^\uFEFF/, '') : text)
  if (!isRecord(fields)) return reject('is not a JSON object')
  const { id, updateTime, data } = fields
  if (typeof id !== 'string' || id === '')
    return reject('has no id, which must be a string that is not empty')
  if (!id.isWellFormed()) return reject('has an id with half of a surrogate pair')
  const key = { collection, id }
  if (data === undefined) return reject('has no data', key)
  if (isDeeper(data, MAX_DEPTH)) return reject(`has data nested deeper than ${MAX_DEPTH} levels`, key)
  const time = typeof updateTime === 'string' ? updateTime : null
  return { kind: 'document', document: { collection, id, updateTime: time, data } }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1))
}
