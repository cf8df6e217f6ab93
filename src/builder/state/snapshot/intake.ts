/** Validates a source's items and inserts them into a table of the snapshot. */
import type { DatabaseSync } from 'node:sqlite'
import type { Problem, SourceDocument } from '../../../domain/documents/document.ts'
import type { Entry } from '../../../domain/documents/parse-document.ts'
import { parseDocument } from '../../../domain/documents/parse-document.ts'
import { findSeller } from '../../sources/find-seller.ts'
import type { DocumentKey, LookedUp } from '../../sources/source.ts'

export interface Intake {
  take(item: LookedUp): void
  hasSeen(document: DocumentKey): boolean
  /** Documents read so far, including missing ones. */
  reads(): number
  /** Entries inserted into the table. */
  entries(): number
}

/** Seen documents are remembered only for a partial read: for a whole one the set would hold everything. */
export interface IntakeOptions {
  readonly table: 'incoming' | 'entries'
  readonly isPartial: boolean
}

const ADD = (table: string): string => `INSERT OR IGNORE INTO ${table} VALUES (?, ?, ?, ?, ?)`
// If a document occurs twice the newest counts, whatever the order.
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
  // Equal values give equal text, because `parseDocument` creates keys in a fixed order.
  const value = JSON.stringify(entry.kind === 'profile' ? entry.profile : entry.product)
  return [collection, id, entry.seller, value, formatTime(updateTime)]
}

// RFC 3339 with an offset, or the format of SQLite, which is in UTC.
const RFC_3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i
const SQLITE = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{1,9})?$/

const USUAL_FORM = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

// Returns one format, so that times sort as text; empty if `updateTime` is invalid. The fraction is kept whole.
function formatTime(updateTime: string | null): string {
  if (updateTime !== null && USUAL_FORM.test(updateTime) && !Number.isNaN(Date.parse(updateTime)))
    return updateTime
  const text = (updateTime ?? '').replace(SQLITE, '$1T$2$3Z')
  const [, seconds, fraction = '', offset] = RFC_3339.exec(text) ?? []
  const time = new Date(`${seconds}${offset?.toUpperCase()}`)
  if (Number.isNaN(time.getTime())) return ''
  return `${time.toISOString().slice(0, 19)}${fraction === '' ? '.000' : fraction.padEnd(4, '0')}Z`
}
