/** Validates a source's items and inserts them into a table of the snapshot. */
import { hash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { Problem, SourceDocument } from '../../../domain/documents/document.ts'
import type { Entry } from '../../../domain/documents/parse-document.ts'
import { parseDocument } from '../../../domain/documents/parse-document.ts'
import { formatUpdateTime } from '../../../domain/documents/update-time.ts'
import { findSeller } from '../../sources/find-seller.ts'
import type { DocumentKey, LookedUp, UnchangedItem } from '../../sources/source.ts'

export interface Intake {
  take(item: LookedUp | UnchangedItem): void
  hasSeen(document: DocumentKey): boolean
  readonly counts: IntakeCounts
}

export interface IntakeCounts {
  /** Number of documents read so far, including those that the source does not have, but not unreadable ones. */
  readonly reads: number
  /** Number of entries: those inserted into the table, and the unchanged ones. */
  readonly entries: number
  /** Number of unchanged documents, whose entries are not in the table. */
  readonly unchanged: number
}

type Counting = { -readonly [Name in keyof IntakeCounts]: IntakeCounts[Name] }

/**
 * `Intake.hasSeen` works only with `isPartial`, because it needs the keys of all documents read, and a full read has
 * too many.
 */
interface IntakeOptions {
  readonly table: 'incoming' | 'entries'
  readonly isPartial: boolean
}

const ADD = (table: string): string => `INSERT OR IGNORE INTO ${table} VALUES (?, ?, ?, ?, ?, ?)`
const REPLACE = (table: string): string => `
UPDATE ${table} SET seller = ?3, value = ?4, update_time = ?5, text_hash = ?6 WHERE collection = ?1 AND id = ?2`
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

/** If a document occurs more than once, the last occurrence is used, even if it is invalid. */
export function createIntake(database: DatabaseSync, { table, isPartial }: IntakeOptions): Intake {
  const add = database.prepare(ADD(table))
  const replace = database.prepare(REPLACE(table))
  const remove = database.prepare(REMOVE(table))
  const problems = createProblemLog(database)
  const seen = new Set<string>()
  const odd = new Set<string>()
  const counts: Counting = { reads: 0, entries: 0, unchanged: 0 }

  /** Deletes the problems stored so far for the document. Returns whether this read reported any of them. */
  const begin = (document: DocumentKey): boolean => {
    const key = formatKey(document)
    const wasOdd = odd.has(key)
    if (isPartial) seen.add(key)
    if (isPartial || wasOdd) problems.forget(document)
    return wasOdd
  }
  const leaveOut = ({ collection, id }: DocumentKey): void => {
    if (remove.run(collection, id).changes > 0) counts.entries -= 1
  }
  const takeDocument = (document: SourceDocument, text: string | undefined): void => {
    counts.reads += 1
    let isSound = true
    const wasOdd = begin(document)
    const seller = findSeller(document)?.toWellFormed() ?? null
    const tell = (problem: Problem): void => {
      isSound = false
      odd.add(formatKey(document))
      problems.report(problem, seller)
    }
    const reportField = (field: string, reason: string): void =>
      tell({ collection: document.collection, id: document.id, field, reason, fatal: false })
    const entry = parseDocument(document, tell)
    if (entry === null) return leaveOut(document)
    const time = formatUpdateTime(document.updateTime)
    if (time === null) reportField('update_time', 'is not a time in RFC 3339 format')
    const textHash = isSound && text !== undefined ? hashEntryText(text) : ''
    const row: Row = [...formatEntry(document, entry), time ?? '', textHash]
    const isNew = add.run(...row).changes > 0
    if (isNew) counts.entries += 1
    else replace.run(...row)
    if (wasOdd || !isNew) reportField('', 'occurs more than once: only the last occurrence is used')
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
      if (item.kind === 'document') takeDocument(item.document, item.text)
      else if (item.kind === 'missing') counts.reads += 1
      else if (item.kind === 'unchanged') countUnchanged(counts, item)
      else takeUnreadable(item.key, item.problem)
    },
    hasSeen: (document) => seen.has(formatKey(document)),
    counts,
  }
}

function countUnchanged(counts: Counting, { count }: UnchangedItem): void {
  counts.reads += count
  counts.entries += count
  counts.unchanged += count
}

/** Returns half of the SHA-256. This is enough, because two texts of one document do not collide by chance. */
export function hashEntryText(text: string): string {
  return hash('sha256', text, 'base64').slice(0, 22)
}

function formatKey({ collection, id }: DocumentKey): string {
  return `${collection}/${id}`
}

type Row = [...FormattedEntry, updateTime: string, textHash: string]

type FormattedEntry = [collection: string, id: string, seller: string, value: string]

function formatEntry({ collection, id }: SourceDocument, entry: Entry): FormattedEntry {
  // Equal values give equal text, because `parseDocument` creates keys in a fixed order.
  const value = JSON.stringify(entry.kind === 'profile' ? entry.profile : entry.product)
  return [collection, id, entry.seller, value]
}
