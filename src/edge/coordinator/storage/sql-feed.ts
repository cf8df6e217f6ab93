/** The rows of sellers in SQLite. */
import type { ObjectName } from '../../../domain/objects/object-data.ts'
import type { Stranger } from '../../../domain/wire/calls.ts'
import type { FeedRow } from '../feed-row.ts'
import { createRow } from '../feed-row.ts'
import type { Ledger } from '../ledger.ts'
import type { Read, Sql, Value } from './sql.ts'
import { OFTEN } from './tables.ts'

/** Max sellers, the last that changed, whose latency is listed. */
const MAX_LATENCIES = 200
/** Max rows, the earliest due, that are searched for the oldest change. */
const MAX_FIRST = 1_000
/** Absent sellers that are deleted in one transaction; the next reports delete more. */
const MAX_FORGOTTEN = 5_000

const CHANGE = 'changed done last recent phase at kind first shown latency silent value'.split(' ')
const KEEP_CHANGE = `
INSERT INTO feed (seller, ${CHANGE.join(', ')}) VALUES (?${', ?'.repeat(CHANGE.length)})
ON CONFLICT (seller) DO UPDATE SET ${CHANGE.map((one) => `${one} = excluded.${one}`).join(', ')}`
// Without the change itself no entry of its index is written.
const KEEP_STATE = `
UPDATE feed SET done = ?, phase = ?, at = ?, kind = ?, first = ?, shown = ?, latency = ?, silent = ?, value = ?
WHERE seller = ?`

const OLDEST = `
SELECT min(first) AS time FROM (
  ${['failed', 'held', 'broken'].map((kind) => `SELECT min(first) AS first FROM feed WHERE kind = '${kind}'`).join(' UNION ALL ')}
  UNION ALL SELECT first FROM feed WHERE phase = 'sent'
  UNION ALL SELECT first FROM (SELECT first FROM feed WHERE phase = 'waiting' ORDER BY at LIMIT ${MAX_FIRST}))`
const LATENCIES = `
SELECT latency FROM (SELECT latency FROM feed ORDER BY changed DESC LIMIT ${MAX_LATENCIES})
WHERE latency IS NOT NULL ORDER BY latency`
const ADD_STRANGER = `
UPDATE feed SET stranger = 1 + (SELECT coalesce(max(stranger), 0) FROM feed WHERE stranger IS NOT NULL), absent = NULL
WHERE seller = ?`
const LIST_STRANGERS = `
SELECT stranger AS number, seller FROM feed WHERE stranger IS NOT NULL ORDER BY stranger LIMIT ?`
const MEET = `
UPDATE feed SET stranger = NULL, absent = ? WHERE stranger IN (SELECT value FROM json_each(?)) AND stranger IS NOT NULL`
const FORGET_ABSENT = `
DELETE FROM feed WHERE seller IN (
  SELECT seller FROM feed WHERE absent <= ? AND changed <= ? AND phase IS NULL LIMIT ${MAX_FORGOTTEN})`

export function openFeed(
  sql: Sql,
  read: Read,
): Pick<
  Ledger,
  | 'findRow'
  | 'keepRow'
  | 'forgetRow'
  | 'listChanged'
  | 'listPhase'
  | 'findNext'
  | 'listSetBack'
  | 'listOften'
  | 'findOldest'
  | 'findSilent'
  | 'listLatencies'
  | 'listStrangers'
  | 'addStranger'
  | 'meetStrangers'
  | 'forgetAbsent'
> {
  const list = (query: string, ...bindings: readonly Value[]): readonly FeedRow[] =>
    read<StoredRow>(`SELECT * FROM feed WHERE ${query}`, ...bindings).map(parseRow)
  return {
    findRow: (seller) => list('seller = ?', seller)[0] ?? null,
    keepRow: (row) => keepRow(sql, read, row),
    forgetRow: (seller) => void sql.exec('DELETE FROM feed WHERE seller = ?', seller),
    listChanged: (after) =>
      read<{ seller: string }>(
        'SELECT seller FROM feed WHERE changed > ? ORDER BY changed, seller',
        after,
      ).map(({ seller }) => seller),
    listPhase: (phase, { until = Number.MAX_SAFE_INTEGER, limit = -1, than } = {}) =>
      than === undefined
        ? list('phase = ? AND at <= ? ORDER BY at LIMIT ?', phase, until, limit)
        : list(
            `phase = ? AND at <= ? AND seller NOT IN (?, '') ORDER BY at LIMIT ?`,
            phase,
            until,
            than,
            limit,
          ),
    findNext: (phase, than) => findNext(read, phase, than),
    listSetBack: (kind, limit) => list('kind = ? ORDER BY first LIMIT ?', kind, limit),
    listOften: (since) => list(`recent > ${OFTEN} AND changed > ? ORDER BY changed DESC LIMIT 1000`, since),
    findOldest: () => read<{ time: number | null }>(OLDEST)[0]?.time ?? null,
    findSilent: () =>
      read<{ most: number | null }>('SELECT max(silent) AS most FROM feed WHERE silent > 0')[0]?.most ?? 0,
    listLatencies: () => read<{ latency: number }>(LATENCIES).map(({ latency }) => latency),
    listStrangers: (limit) => read<Stranger>(LIST_STRANGERS, limit),
    addStranger: (seller) => void sql.exec(ADD_STRANGER, seller),
    meetStrangers: ({ known, absent }, sequence) => {
      sql.exec(MEET, null, JSON.stringify(known))
      sql.exec(MEET, sequence, JSON.stringify(absent))
    },
    forgetAbsent: (sequence) => void sql.exec(FORGET_ABSENT, sequence, sequence),
  }
}

export function findNext(read: Read, phase: string, than?: ObjectName): number | null {
  const [row] =
    than === undefined
      ? read<{ at: number }>('SELECT at FROM feed WHERE phase = ? ORDER BY at LIMIT 1', phase)
      : read<{ at: number }>(
          `SELECT at FROM feed WHERE phase = ? AND seller NOT IN (?, '') ORDER BY at LIMIT 1`,
          phase,
          than,
        )
  return row?.at ?? null
}

type StoredRow = Omit<FeedRow, 'value'> & { readonly value: string | null }

function parseRow({ value, ...row }: StoredRow): FeedRow {
  const { seller, changed, done, last, recent, phase, at, first, shown, latency, silent } = row
  const known = {
    ...createRow(seller),
    changed,
    done,
    last,
    recent,
    phase,
    at,
    first,
    shown,
    latency,
    silent,
  }
  return value === null ? known : { ...known, ...JSON.parse(value) }
}

function keepRow(sql: Sql, read: Read, row: FeedRow): void {
  const { seller, changed, done, last, recent, phase, at, first, shown, latency, silent } = row
  const { quiet, fresh, asked, blamed, setback, lease } = row
  const kind = setback?.kind ?? null
  const value = phase === null ? null : JSON.stringify({ quiet, fresh, asked, blamed, setback, lease })
  const [known] = read<{ changed: number }>('SELECT changed FROM feed WHERE seller = ?', seller)
  if (known?.changed === changed)
    sql.exec(KEEP_STATE, done, phase, at, kind, first, shown, latency, silent, value, seller)
  else
    sql.exec(
      KEEP_CHANGE,
      seller,
      changed,
      done,
      last,
      recent,
      phase,
      at,
      kind,
      first,
      shown,
      latency,
      silent,
      value,
    )
}
