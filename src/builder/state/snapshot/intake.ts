/** Takes a source's items through the door and gathers them in a table of the snapshot. */
import type { DatabaseSync } from 'node:sqlite'
import type { Problem, SourceDocument } from '../../../domain/documents/document.ts'
import type { Entry } from '../../../domain/documents/parse-document.ts'
import { parseDocument } from '../../../domain/documents/parse-document.ts'
import { findSeller } from '../../sources/find-seller.ts'
import type { DocumentKey, LookedUp } from '../../sources/source.ts'

export interface Intake {
  take(item: LookedUp): void
  hasSeen(document: DocumentKey): boolean
  /** Documents read so far, those that were not there among them. */
  reads(): number
  /** Entries in the table. */
  entries(): number
}

/** Of a partial read, what was seen is remembered; of a whole one it would be everything. */
export interface IntakeOptions {
  readonly table: 'incoming' | 'entries'
  readonly isPartial: boolean
}

const ADD = (table: string): string => `INSERT OR IGNORE INTO ${table} VALUES (?, ?, ?, ?, ?)`
// Of a document seen twice the newest counts, whatever the order they came in.
const REPLACE_OLDER = (table: string): string => `
UPDATE ${table} SET seller = ?3, value = ?4, update_time = ?5
WHERE collection = ?1 AND id = ?2 AND (update_time, value, seller) < (?5, ?4, ?3)`
const COMPLAIN = 'INSERT OR REPLACE INTO problems VALUES (?, ?, ?, ?, ?, ?)'

export function createIntake(database: DatabaseSync, { table, isPartial }: IntakeOptions): Intake {
  const add = database.prepare(ADD(table))
  const replaceOlder = database.prepare(REPLACE_OLDER(table))
  const complain = database.prepare(COMPLAIN)
  const mend = database.prepare('DELETE FROM problems WHERE collection = ? AND id = ?')
  const seen = new Set<string>()
  let reads = 0
  let entries = 0

  const report = (problem: Problem, seller: string | null): void => {
    const { collection, id, field, reason, fatal } = problem
    complain.run(collection, id.toWellFormed(), field, reason, fatal ? 1 : 0, seller)
  }
  const takeDocument = (document: SourceDocument): void => {
    reads += 1
    if (isPartial) {
      seen.add(formatKey(document))
      mend.run(document.collection, document.id.toWellFormed())
    }
    const seller = findSeller(document)?.toWellFormed() ?? null
    const entry = parseDocument(document, (problem) => report(problem, seller))
    if (entry === null) return
    const row = formatRow(document, entry)
    if (add.run(...row).changes > 0) {
      entries += 1
      return
    }
    replaceOlder.run(...row)
    const { collection, id } = document
    report(
      { collection, id, field: '', reason: 'occurs more than once: the newest counts', fatal: false },
      seller,
    )
  }
  return {
    take: (item) => {
      if (item.kind === 'document') takeDocument(item.document)
      else if (item.kind === 'missing') reads += 1
      else {
        if (isPartial) seen.add(formatKey(item.problem))
        report(item.problem, null)
      }
    },
    hasSeen: (document) => seen.has(formatKey(document)),
    reads: () => reads,
    entries: () => entries,
  }
}

function formatKey({ collection, id }: DocumentKey): string {
  return `${collection}/${id}`
}

type Row = [collection: string, id: string, seller: string, value: string, updateTime: string]

function formatRow({ collection, id, updateTime }: SourceDocument, entry: Entry): Row {
  // The same value gives the same text: the door makes every entry with its keys in one order.
  const value = JSON.stringify(entry.kind === 'profile' ? entry.profile : entry.product)
  return [collection, id, entry.seller, value, formatTime(updateTime)]
}

// RFC 3339 with an offset, or what SQLite writes, which is UTC.
const RFC_3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i
const SQLITE = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{1,9})?$/

const USUAL_FORM = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

// One form for all, so that the newest is the greatest text; empty for what is no time. The fraction stays whole.
function formatTime(updateTime: string | null): string {
  if (updateTime !== null && USUAL_FORM.test(updateTime) && !Number.isNaN(Date.parse(updateTime)))
    return updateTime
  const text = (updateTime ?? '').replace(SQLITE, '$1T$2$3Z')
  const [, seconds, fraction = '', offset] = RFC_3339.exec(text) ?? []
  const time = new Date(`${seconds}${offset?.toUpperCase()}`)
  if (Number.isNaN(time.getTime())) return ''
  return `${time.toISOString().slice(0, 19)}${fraction === '' ? '.000' : fraction.padEnd(4, '0')}Z`
}
