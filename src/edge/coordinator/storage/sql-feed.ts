/** The rows of sellers in SQLite. */
import type { Stranger } from '../../../domain/wire/calls.ts'
import type { FeedRow } from '../feed-row.ts'
import { createRow } from '../feed-row.ts'
import type { Ledger } from '../ledger.ts'
import type { Columns, RunSql, Sql, SqlValue } from './sql.ts'
import { keepColumns, readEach } from './sql.ts'
import { OFTEN } from './tables.ts'

/**
 * Max waiting changes that the search for the oldest one reads, in the order in which they are due. If more wait, the
 * oldest may be missed.
 */
const MAX_FIRST = 100
/**
 * Max rows that one transaction deletes because their sellers do not exist. Later reports of builders delete the
 * remaining rows.
 */
const MAX_FORGOTTEN = 5_000

const OLDEST = `
SELECT min(first) AS time FROM (
  ${['failed', 'held', 'broken'].map((kind) => `SELECT min(first) AS first FROM feed WHERE kind = '${kind}'`).join(' UNION ALL ')}
  UNION ALL SELECT first FROM feed WHERE phase = 'sent'
  UNION ALL SELECT first FROM (SELECT first FROM feed WHERE phase = 'waiting' ORDER BY at LIMIT ${MAX_FIRST}))`
const ADD_STRANGER = `
UPDATE feed SET stranger = 1 + (SELECT coalesce(max(stranger), 0) FROM feed WHERE stranger IS NOT NULL), absent = NULL
WHERE seller = ?`
const LIST_STRANGERS = `
SELECT stranger AS number, seller FROM feed WHERE stranger IS NOT NULL ORDER BY stranger LIMIT ?`
const MEET = `
UPDATE feed SET stranger = NULL, absent = ? WHERE stranger IN (SELECT value FROM json_each(?)) AND stranger IS NOT NULL`
const FORGET_ABSENT = `
DELETE FROM feed WHERE seller IN (
  SELECT seller FROM feed WHERE absent <= ? AND changed <= ? AND phase IS NULL LIMIT ${MAX_FORGOTTEN}) RETURNING *`

/**
 * `keepRow` and the deletions call `count` with the row before and after the change; `null` means that there is no row.
 */
export function openFeed(
  sql: Sql,
  read: RunSql,
  count: (before: FeedRow | null, after: FeedRow | null) => void,
): Pick<Ledger, 'findRow' | 'keepRow' | 'forgetRow' | 'forgetAbsent' | 'eachOfPhase'> &
  ReturnType<typeof openLists> &
  ReturnType<typeof openStrangers> {
  const find = (seller: string): FeedRow | null =>
    read<StoredRow>('SELECT * FROM feed WHERE seller = ?', seller).map(parseRow)[0] ?? null
  const forget = (query: string, ...bindings: readonly SqlValue[]): void => {
    for (const row of read<StoredRow>(query, ...bindings)) count(parseRow(row), null)
  }
  return {
    ...openLists(read),
    ...openStrangers(sql, read),
    findRow: find,
    keepRow: (row) => {
      const known = find(row.seller)
      const stored = known === null ? null : formatRow(known)
      keepColumns(sql, { table: 'feed', key: ['seller', row.seller], known: stored, next: formatRow(row) })
      count(known, row)
    },
    eachOfPhase: (phase) => readEach(listPhase(read, phase), find),
    forgetRow: (seller) => forget('DELETE FROM feed WHERE seller = ? RETURNING *', seller),
    forgetAbsent: (sequence) => forget(FORGET_ABSENT, sequence, sequence),
  }
}

function openLists(
  read: RunSql,
): Pick<
  Ledger,
  'listChanged' | 'listPhase' | 'findNext' | 'listSetBack' | 'listOften' | 'findOldest' | 'findSilent'
> {
  const list = (query: string, ...bindings: readonly SqlValue[]): readonly FeedRow[] =>
    read<StoredRow>(`SELECT * FROM feed WHERE ${query}`, ...bindings).map(parseRow)
  return {
    listChanged: (after) =>
      read<{ seller: string }>(
        'SELECT seller FROM feed WHERE changed > ? ORDER BY changed, seller',
        after,
      ).map(({ seller }) => seller),
    listPhase: (phase, { until = Number.MAX_SAFE_INTEGER, limit = -1, than } = {}) =>
      list(
        'phase = ? AND at <= ? AND seller IS NOT ? ORDER BY at LIMIT ?',
        phase,
        until,
        than ?? null,
        limit,
      ),
    findNext: (phase, than) => findNext(read, phase, than),
    listSetBack: (kind, limit) => list('kind = ? ORDER BY first LIMIT ?', kind, limit),
    listOften: (since) => list(`recent > ${OFTEN} AND changed > ? ORDER BY changed DESC LIMIT 1000`, since),
    findOldest: () => read<{ time: number | null }>(OLDEST)[0]?.time ?? null,
    findSilent: () =>
      read<{ most: number | null }>('SELECT max(silent) AS most FROM feed WHERE silent > 0')[0]?.most ?? 0,
  }
}

function openStrangers(
  sql: Sql,
  read: RunSql,
): Pick<Ledger, 'listStrangers' | 'addStranger' | 'meetStrangers'> {
  return {
    listStrangers: (limit) => read<Stranger>(LIST_STRANGERS, limit),
    addStranger: (seller) => void sql.exec(ADD_STRANGER, seller),
    meetStrangers: ({ known, absent }, sequence) => {
      sql.exec(MEET, null, JSON.stringify(known))
      sql.exec(MEET, sequence, JSON.stringify(absent))
    },
  }
}

function listPhase(read: RunSql, phase: string): readonly string[] {
  const query = 'SELECT seller FROM feed WHERE phase = ? ORDER BY at'
  return read<{ seller: string }>(query, phase).map(({ seller }) => seller)
}

export function findNext(read: RunSql, phase: string, than?: string): number | null {
  const query = 'SELECT at FROM feed WHERE phase = ? AND seller IS NOT ? ORDER BY at LIMIT 1'
  return read<{ at: number }>(query, phase, than ?? null)[0]?.at ?? null
}

interface StoredRow extends Stored {
  readonly seller: string
  readonly notices: string | null
  readonly value: string | null
}

function parseRow({ notices, value, ...row }: StoredRow): FeedRow {
  const known = { ...createRow(row.seller), ...pickColumns(row) }
  return {
    ...known,
    notices: notices === null ? [] : JSON.parse(notices),
    ...(value === null ? {} : JSON.parse(value)),
  }
}

function formatRow(row: FeedRow): Columns {
  const { quiet, fresh, asked, blamed, setback, lease, notices } = row
  return {
    ...pickColumns(row),
    kind: setback?.kind ?? null,
    value: row.phase === null ? null : JSON.stringify({ quiet, fresh, asked, blamed, setback, lease }),
    notices: notices.length === 0 ? null : JSON.stringify(notices),
  }
}

/**
 * The fields that are stored unchanged in columns of the same names. The other fields, except `seller`, are stored as
 * JSON; of these, only `notices` is stored for a row without a phase.
 */
type Stored = Pick<
  FeedRow,
  'changed' | 'done' | 'last' | 'recent' | 'phase' | 'at' | 'first' | 'shown' | 'silent'
>

function pickColumns(row: Stored): Stored {
  const { changed, done, last, recent, phase, at, first, shown, silent } = row
  return { changed, done, last, recent, phase, at, first, shown, silent }
}
