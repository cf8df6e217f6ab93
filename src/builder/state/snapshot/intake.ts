/** Validates a source's items and inserts them into a table of the snapshot. */
import type { DatabaseSync } from 'node:sqlite'
import type { Problem, SourceDocument } from '../../../domain/documents/document.ts'
import type { Entry } from '../../../domain/documents/parse-document.ts'
import { parseDocument } from '../../../domain/documents/parse-document.ts'
import { formatUpdateTime } from './update-time.ts'
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
const REPLACE = (table: string): string => `
UPDATE ${table} SET seller = ?3, value = ?4, update_time = ?5 WHERE collection = ?1 AND id = ?2`
const REMOVE = (table: string): string => `DELETE FROM ${table} WHERE collection = ? AND id = ?`
const COMPLAIN = 'INSERT OR REPLACE INTO problems VALUES (?, ?, ?, ?, ?, ?)'

interface ProblemLog {
  report(problem: Problem, seller: string | null): void
  forget(document: DocumentKey): void
}

function createProblemLog(database: DatabaseSync): ProblemLog {
  const complain = database.prepare(COMPLAIN)
  const mend = database.prepare('DELETE FROM problems WHERE collection = ? AND id = ?')
  return {
    report: ({ collection, id, field, reason, fatal }, seller) =>
      void complain.run(collection, id.toWellFormed(), field, reason, fatal ? 1 : 0, seller),
    forget: ({ collection, id }) => void mend.run(collection, id.toWellFormed()),
  }
}

/** If a document occurs more than once the last counts, also if it is invalid. */
export function createIntake(database: DatabaseSync, { table, isPartial }: IntakeOptions): Intake {
  const add = database.prepare(ADD(table))
  const replace = database.prepare(REPLACE(table))
  const remove = database.prepare(REMOVE(table))
  const problems = createProblemLog(database)
  const seen = new Set<string>()
  const odd = new Set<string>()
  let reads = 0
  let entries = 0

  /** Forgets the problems of an earlier version. Returns whether it had some. */
  const begin = (document: DocumentKey): boolean => {
    const key = formatKey(document)
    const wasOdd = odd.has(key)
    if (isPartial) seen.add(key)
    if (isPartial || wasOdd) problems.forget(document)
    return wasOdd
  }
  const leaveOut = ({ collection, id }: DocumentKey): void => {
    if (remove.run(collection, id).changes > 0) entries -= 1
  }
  const takeDocument = (document: SourceDocument): void => {
    reads += 1
    const wasOdd = begin(document)
    const seller = findSeller(document)?.toWellFormed() ?? null
    const tell = (problem: Problem): void => {
      odd.add(formatKey(document))
      problems.report(problem, seller)
    }
    const tellOne = (field: string, reason: string): void =>
      tell({ collection: document.collection, id: document.id, field, reason, fatal: false })
    const entry = parseDocument(document, tell)
    if (entry === null) return leaveOut(document)
    const time = formatUpdateTime(document.updateTime)
    if (time === null) tellOne('update_time', 'is not a time as in RFC 3339')
    const row = formatRow(document, entry, time ?? '')
    const isNew = add.run(...row).changes > 0
    if (isNew) entries += 1
    else replace.run(...row)
    if (wasOdd || !isNew) tellOne('', 'occurs more than once: the last counts')
  }
  const takeUnreadable = (key: DocumentKey | null, problem: Problem): void => {
    if (key !== null) {
      begin(key)
      odd.add(formatKey(key))
      leaveOut(key)
    }
    problems.report(problem, null)
  }
  return {
    take: (item) => {
      if (item.kind === 'document') takeDocument(item.document)
      else if (item.kind === 'missing') reads += 1
      else takeUnreadable(item.key, item.problem)
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

function formatRow({ collection, id }: SourceDocument, entry: Entry, updateTime: string): Row {
  // Equal values give equal text, because `parseDocument` creates keys in a fixed order.
  const value = JSON.stringify(entry.kind === 'profile' ? entry.profile : entry.product)
  return [collection, id, entry.seller, value, updateTime]
}
