/** The records of changes in SQLite. */
import type { ObjectName } from '../../../domain/objects/object-data.ts'
import type { NextTimes } from './send-changes.ts'
import type { Sql } from '../sql-ledger.ts'
import type { Change, ChangeChanges, ChangeRecords, ChangeStanding, ChangeStep } from './change-records.ts'
import { NO_CHANGES } from './change-records.ts'
import { CHANGE_TABLES } from './change-tables.ts'

export interface SqlChanges extends Omit<ChangeRecords, 'standing'> {
  readStanding(): ChangeStanding
  readNext(than: ObjectName | null): NextTimes
  /** Arrival of the oldest notice that is not answered, and the most messages in a row that one change got no answer to. */
  readWorst(): { readonly oldest: number | null; readonly silent: number }
  countSetBack(kind: string): number
  /** The caller provides the transaction. */
  apply(changes: ChangeChanges): void
}

/** Phases of changes whose message is to be sent. */
const FRESH = ['waiting'] as const
const RETRIES = ['failed', 'held'] as const
const UNSENT = [...FRESH, ...RETRIES] as const

const KEEP = `
INSERT INTO changes VALUES (?, ?, ?, ?, ?, ?, nullif(?, ''), ?) ON CONFLICT (name) DO UPDATE SET
  noticed = excluded.noticed, phase = excluded.phase, at = excluded.at, first = excluded.first, silent = excluded.silent,
  setback = excluded.setback, value = excluded.value`
const ANSWER = `
UPDATE changes SET phase = NULL, at = NULL, first = NULL, silent = NULL, setback = NULL, value = NULL WHERE name = ?`
const FORGET = 'DELETE FROM changes WHERE name = ?'
const KEEP_STANDING = `
INSERT INTO change_standing VALUES (1, ?) ON CONFLICT (only) DO UPDATE SET value = excluded.value`
const LIST_DUE = 'SELECT value FROM changes WHERE phase = ? AND at <= ? ORDER BY at LIMIT ?'
const LIST_OTHERS = `
SELECT value FROM changes WHERE phase = ? AND at <= ? AND name NOT IN (?, '') ORDER BY at LIMIT 1`
const NEXT_OTHER = `SELECT at FROM changes WHERE phase = ? AND name NOT IN (?, '') ORDER BY at LIMIT 1`
const NEXT = 'SELECT at FROM changes WHERE phase = ? ORDER BY at LIMIT 1'
const OPEN = `FROM changes WHERE phase IN ('waiting', 'failed', 'held', 'sent')`
const WORST = `SELECT min(first) AS oldest, max(silent) AS silent ${OPEN}`

/** What a row of an older version of this code lacks. */
const BEFORE: Pick<Change, 'done' | 'asked'> = { done: 0, asked: null }

/** Creates the tables on first use. */
export function openChanges(sql: Sql): SqlChanges {
  for (const table of CHANGE_TABLES) sql.exec(table)
  const read = <Row>(query: string, ...bindings: readonly (string | number)[]): readonly Row[] =>
    sql.exec(query, ...bindings).toArray() as readonly Row[]
  const list = (query: string, ...bindings: readonly (string | number)[]): readonly Change[] =>
    read<{ value: string }>(query, ...bindings).map(({ value }) => ({ ...BEFORE, ...JSON.parse(value) }))
  const findNext = (query: string, phases: readonly string[], ...more: readonly string[]): number | null => {
    const times = phases.flatMap((phase) => read<{ at: number }>(query, phase, ...more).map(({ at }) => at))
    return times.length === 0 ? null : Math.min(...times)
  }
  const listDue = (phases: readonly string[], now: number, limit: number): readonly Change[] =>
    phases
      .flatMap((phase) => list(LIST_DUE, phase, now, Math.max(0, limit)))
      .toSorted((a, b) => a.at - b.at)
      .slice(0, Math.max(0, limit))
  return {
    readStanding: () => {
      const [row] = read<{ value: string }>('SELECT value FROM change_standing')
      return row === undefined ? NO_CHANGES : { ...NO_CHANGES, ...JSON.parse(row.value) }
    },
    findChange: (name) =>
      list('SELECT value FROM changes WHERE name = ? AND phase IS NOT NULL', name)[0] ?? null,
    listDue: (now, limit) => listDue(UNSENT, now, limit),
    listFresh: (now, limit) => listDue(FRESH, now, limit),
    listRetries: (now, limit) => listDue(RETRIES, now, limit),
    listOthersDue: (now, than) => UNSENT.flatMap((phase) => list(LIST_OTHERS, phase, now, than)).slice(0, 1),
    listEnded: (now) => list(LIST_DUE, 'sent', now, -1),
    listSetBack: (kind, limit = -1) =>
      list('SELECT value FROM changes WHERE setback = ? ORDER BY name LIMIT ?', kind, limit),
    listOpen: () => list(`SELECT value ${OPEN}`),
    listAbsent: (until) => list(LIST_DUE, 'absent', until, -1),
    readNext: (than) => ({
      due: findNext(NEXT, FRESH),
      retry: findNext(NEXT, RETRIES),
      other: than === null ? null : findNext(NEXT_OTHER, UNSENT, than),
      end: findNext(NEXT, ['sent', 'absent']),
    }),
    readWorst: () => {
      const [row] = read<{ oldest: number | null; silent: number | null }>(WORST)
      return { oldest: row?.oldest ?? null, silent: row?.silent ?? 0 }
    },
    countSetBack: (kind) =>
      read<{ count: number }>('SELECT count(*) AS count FROM changes WHERE setback = ?', kind)[0]?.count ?? 0,
    apply: (changes) => applyChanges(sql, changes),
  }
}

/** Runs one step and writes its changes. The caller provides the transaction. */
export function runChangeStep<Event, Answer, Moment>(
  changes: SqlChanges,
  step: (records: ChangeRecords, event: Event, moment: Moment) => ChangeStep<Answer>,
  event: Event,
  moment: Moment,
): Answer {
  const { changes: next, answer } = step({ ...changes, standing: changes.readStanding() }, event, moment)
  changes.apply(next)
  return answer
}

function applyChanges(sql: Sql, { kept, answered, forgotten, standing }: ChangeChanges): void {
  for (const name of forgotten ?? []) sql.exec(FORGET, name)
  for (const name of answered ?? []) sql.exec(ANSWER, name)
  for (const change of kept ?? []) {
    const { name, noticed, phase, at, first, silent, setback } = change
    sql.exec(KEEP, name, noticed, phase, at, first, silent, setback?.kind ?? '', JSON.stringify(change))
  }
  if (standing !== undefined) sql.exec(KEEP_STANDING, JSON.stringify(standing))
}
