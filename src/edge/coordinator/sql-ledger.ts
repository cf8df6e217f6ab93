/** The ledger in a Durable Object's SQLite. Cloudflare bills each row and each index entry that is written. */
import type { CoordinatorState, FeedRow, Ledger } from './ledger.ts'
import { createState } from './ledger.ts'

type SqlValue = string | number | null

/** The part of a Durable Object's SQL that the coordinator uses. Runs one statement per call. */
export interface Sql {
  exec(query: string, ...bindings: readonly SqlValue[]): { toArray(): readonly unknown[] }
}

const NAMES = Object.keys(createState(0)) as (keyof CoordinatorState)[]

const TABLES = [
  `CREATE TABLE IF NOT EXISTS feed (
  seller TEXT PRIMARY KEY, changed INTEGER NOT NULL, failed TEXT, tries INTEGER NOT NULL DEFAULT 0,
  next INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS feed_by_change ON feed (changed)',
  'CREATE INDEX IF NOT EXISTS feed_by_retry ON feed (next) WHERE failed IS NOT NULL',
  `CREATE TABLE IF NOT EXISTS state (only INTEGER PRIMARY KEY CHECK (only = 1),
  ${NAMES.join(', ')})`,
] as const

const READ = `SELECT ${NAMES.join(', ')} FROM state`
const INSERT = `INSERT INTO state (only, ${NAMES.join(', ')}) VALUES (1${', ?'.repeat(NAMES.length)})`
const ADD_CHANGE = `
INSERT INTO feed (seller, changed) VALUES (?, ?) ON CONFLICT (seller) DO UPDATE SET changed = excluded.changed`
const COUNT = 'SELECT count(*) AS count FROM feed'
const WAITING = 'SELECT count(*) AS count, min(changed) AS oldest FROM feed WHERE changed > ?'
const LIST = `
SELECT seller FROM feed WHERE changed > ? UNION SELECT seller FROM feed WHERE failed IS NOT NULL AND next <= ? LIMIT ?`
const FAILING = 'SELECT count(*) AS count, min(next) AS next FROM feed WHERE failed IS NOT NULL'
const PUT = 'INSERT OR REPLACE INTO feed (seller, changed, failed, tries, next) VALUES (?, ?, ?, ?, ?)'

/** Creates the tables on first use. The sequences of a new ledger begin at `now`. */
export function openLedger(sql: Sql, now: number): Ledger {
  for (const table of TABLES) sql.exec(table)
  const read = <Row>(query: string, ...bindings: readonly SqlValue[]): readonly Row[] =>
    sql.exec(query, ...bindings).toArray() as readonly Row[]
  const only = <Row>(query: string, ...bindings: readonly SqlValue[]): Row => {
    const [row] = read<Row>(query, ...bindings)
    if (row === undefined) throw new Error('the coordinator has no state')
    return row
  }
  /** At least the number of rows, so that they are counted only when it is large; `null` if it is not known. */
  let rows: number | null = null
  if (read('SELECT 1 FROM state').length === 0)
    sql.exec(INSERT, ...NAMES.map((name) => createState(now)[name]))
  return {
    read: () => ({ ...only<CoordinatorState>(READ) }),
    update: (changes) => {
      const names = NAMES.filter((name) => name in changes)
      const set = names.map((name) => `${name} = ?`).join(', ')
      sql.exec(`UPDATE state SET ${set}`, ...names.map((name) => changes[name] ?? null))
    },
    isLarger: (limit) => {
      if (rows === null || rows > limit) rows = only<{ count: number }>(COUNT).count
      return rows > limit
    },
    findWaiting: (after) => only(WAITING, after),
    addChange: (seller, sequence) => {
      if (rows !== null) rows += 1
      sql.exec(ADD_CHANGE, seller, sequence)
    },
    listSellers: (have, time, limit) =>
      read<{ seller: string }>(LIST, have, time, limit).map(({ seller }) => seller),
    findFailing: () => only(FAILING),
    listFailed: (limit) => read('SELECT * FROM feed WHERE failed IS NOT NULL ORDER BY next LIMIT ?', limit),
    takeFailures: (upTo) => {
      const failed = read<FeedRow>('SELECT * FROM feed WHERE failed IS NOT NULL AND changed <= ?', upTo)
      sql.exec(
        'UPDATE feed SET failed = NULL, tries = 0, next = 0 WHERE failed IS NOT NULL AND changed <= ?',
        upTo,
      )
      return failed
    },
    findRow: (seller) => read<FeedRow>('SELECT * FROM feed WHERE seller = ?', seller)[0] ?? null,
    putRow: ({ seller, changed, failed, tries, next }) => {
      if (rows !== null) rows += 1
      sql.exec(PUT, seller, changed, failed, tries, next)
    },
    clear: () => {
      rows = null
      sql.exec('DELETE FROM feed')
    },
  }
}
