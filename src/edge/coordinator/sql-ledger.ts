/** The ledger in SQLite, with the sellers of whom it is not known whether they exist. */
import { CHANGE_TABLES } from './changes/change-tables.ts'
import type { AuditEntry, LedgerChanges, Failure, Ledger, Pace, Standing } from './ledger.ts'
import { createStanding } from './ledger.ts'

/** Runs one statement per call. */
export interface Sql {
  exec(query: string, ...bindings: readonly (string | number)[]): { toArray(): readonly unknown[] }
}

export interface SqlLedger extends Omit<Ledger, 'standing'> {
  readStanding(): Standing
  /** The caller provides the transaction. */
  apply(changes: LedgerChanges): void
}

/** `absent`: the sequence of the state that had no such seller. */
const STRANGER_TABLES = [
  `CREATE TABLE IF NOT EXISTS strangers (number INTEGER PRIMARY KEY, seller TEXT NOT NULL UNIQUE, absent INTEGER) STRICT`,
  `CREATE INDEX IF NOT EXISTS strangers_by_absence ON strangers (absent)`,
] as const

const LIST_STRANGERS = 'SELECT number, seller FROM strangers WHERE absent IS NULL ORDER BY number LIMIT ?'

const KEEP_STRANGER =
  'INSERT INTO strangers (seller) VALUES (?) ON CONFLICT (seller) DO UPDATE SET absent = NULL'
const FORGET_KNOWN = 'DELETE FROM strangers WHERE number IN (SELECT value FROM json_each(?))'
const KEEP_ABSENT = 'UPDATE strangers SET absent = ? WHERE number IN (SELECT value FROM json_each(?))'
// A limited number in one transaction: the next reports delete more. A cross join reads the few strangers first.
const FORGET_SELLERS = `
DELETE FROM sellers WHERE seller IN (
  SELECT sellers.seller FROM strangers CROSS JOIN sellers ON sellers.seller = strangers.seller
  WHERE absent <= ? AND changed <= ? AND NOT EXISTS (SELECT 1 FROM failures WHERE failures.seller = sellers.seller)
  LIMIT 5000)`
const FORGET_ABSENT = `
DELETE FROM strangers WHERE absent <= ?
  AND NOT EXISTS (SELECT 1 FROM sellers WHERE sellers.seller = strangers.seller)`

const TABLES = [
  `CREATE TABLE IF NOT EXISTS standing (only INTEGER PRIMARY KEY CHECK (only = 1), value TEXT NOT NULL) STRICT`,
  `CREATE TABLE IF NOT EXISTS deliveries (sequence INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE) STRICT`,
  `CREATE TABLE IF NOT EXISTS sellers (seller TEXT PRIMARY KEY, changed INTEGER NOT NULL) STRICT, WITHOUT ROWID`,
  `CREATE INDEX IF NOT EXISTS sellers_by_change ON sellers (changed)`,
  `CREATE TABLE IF NOT EXISTS paces (seller TEXT PRIMARY KEY, at INTEGER NOT NULL, recent REAL NOT NULL) STRICT, WITHOUT ROWID`,
  `CREATE INDEX IF NOT EXISTS paces_by_time ON paces (at)`,
  `CREATE TABLE IF NOT EXISTS failures (seller TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS log (number INTEGER PRIMARY KEY AUTOINCREMENT, value TEXT NOT NULL) STRICT`,
  ...STRANGER_TABLES,
  ...CHANGE_TABLES,
]

/** Number of entries that the audit log keeps. */
const LONGEST_LOG = 200

const KEEP_CHANGE =
  'INSERT INTO sellers VALUES (?, ?) ON CONFLICT (seller) DO UPDATE SET changed = excluded.changed'
const KEEP_PACE =
  'INSERT INTO paces VALUES (?, ?, ?) ON CONFLICT (seller) DO UPDATE SET at = excluded.at, recent = excluded.recent'
const KEEP_FAILURE =
  'INSERT INTO failures VALUES (?, ?) ON CONFLICT (seller) DO UPDATE SET value = excluded.value'

const IS_QUEUED = 'EXISTS (SELECT 1 FROM changes WHERE name = seller AND noticed >= changed)'
const COUNT_CHANGED = `SELECT count(*) AS count FROM sellers WHERE changed > ? AND NOT ${IS_QUEUED}`

/** Creates the tables on first use, with `now` as the origin of the ledger. */
export function openLedger(sql: Sql, now: number): SqlLedger {
  for (const table of TABLES) sql.exec(table)
  const read = <Row>(query: string, ...bindings: readonly (string | number)[]): readonly Row[] =>
    sql.exec(query, ...bindings).toArray() as readonly Row[]
  const start = JSON.stringify(createStanding(now))
  sql.exec('INSERT INTO standing VALUES (1, ?) ON CONFLICT DO NOTHING', start)
  return {
    readStanding: () => {
      const [row] = read<{ value: string }>('SELECT value FROM standing')
      // A row written by an older version of this code lacks newer fields.
      return { ...createStanding(now), ...JSON.parse(row?.value ?? start) }
    },
    hasDelivery: (id) => read('SELECT 1 FROM deliveries WHERE id = ?', id).length > 0,
    findChange: (seller) =>
      read<{ changed: number }>('SELECT changed FROM sellers WHERE seller = ?', seller)[0]?.changed ?? null,
    listStrangers: (limit) => read(LIST_STRANGERS, limit),
    findPace: (seller) =>
      read<Pace>('SELECT seller, at, recent FROM paces WHERE seller = ?', seller)[0] ?? null,
    listPaces: (limit) =>
      read<Pace>('SELECT seller, at, recent FROM paces ORDER BY recent DESC, seller LIMIT ?', limit),
    findFailure: (seller) =>
      read<{ value: string }>('SELECT value FROM failures WHERE seller = ?', seller).map(parseFailure)[0] ??
      null,
    listFailures: () =>
      read<{ value: string }>('SELECT value FROM failures ORDER BY seller').map(parseFailure),
    listChanged: (after) =>
      read<{ seller: string }>(
        'SELECT seller FROM sellers WHERE changed > ? ORDER BY changed, seller',
        after,
      ).map(({ seller }) => seller),
    countChanged: (after) => read<{ count: number }>(COUNT_CHANGED, after)[0]?.count ?? 0,
    isQueued: (seller) => read(`SELECT 1 FROM sellers WHERE seller = ? AND ${IS_QUEUED}`, seller).length > 0,
    listLog: () =>
      read<{ value: string }>('SELECT value FROM log ORDER BY number DESC').map(({ value }): AuditEntry =>
        JSON.parse(value),
      ),
    apply: (changes) => applyChanges(sql, changes),
  }
}

function applyChanges(
  sql: Sql,
  {
    standing,
    delivery,
    forgetBefore,
    changed,
    forgotten,
    failures,
    recovered,
    entry,
    ...changes
  }: LedgerChanges,
): void {
  const { paces, forgetPaces } = changes
  if (forgetPaces !== undefined) sql.exec('DELETE FROM paces WHERE at < ?', forgetPaces)
  for (const { seller, at, recent } of paces ?? []) sql.exec(KEEP_PACE, seller, at, recent)
  if (forgetBefore !== undefined) sql.exec('DELETE FROM deliveries WHERE sequence < ?', forgetBefore)
  if (delivery !== undefined)
    sql.exec('INSERT INTO deliveries (sequence, id) VALUES (?, ?)', delivery.sequence, delivery.id)
  for (const seller of changed?.sellers ?? []) sql.exec(KEEP_CHANGE, seller, changed?.sequence ?? 0)
  for (const { seller, sequence } of forgotten ?? [])
    sql.exec('DELETE FROM sellers WHERE seller = ? AND changed <= ?', seller, sequence)
  for (const seller of recovered ?? []) sql.exec('DELETE FROM failures WHERE seller = ?', seller)
  for (const failure of failures ?? []) sql.exec(KEEP_FAILURE, failure.seller, JSON.stringify(failure))
  applyStrangers(sql, changes)
  if (entry !== undefined) addEntry(sql, entry)
  if (standing !== undefined) sql.exec('UPDATE standing SET value = ?', JSON.stringify(standing))
}

function addEntry(sql: Sql, entry: AuditEntry): void {
  sql.exec('INSERT INTO log (value) VALUES (?)', JSON.stringify(entry))
  sql.exec('DELETE FROM log WHERE number <= (SELECT max(number) FROM log) - ?', LONGEST_LOG)
}

function parseFailure({ value }: { readonly value: string }): Failure {
  return JSON.parse(value)
}

/** Called after the other changes of sellers and failures. */
function applyStrangers(
  sql: Sql,
  { strangers, met, forgetAbsent }: Pick<LedgerChanges, 'strangers' | 'met' | 'forgetAbsent'>,
): void {
  for (const seller of strangers ?? []) sql.exec(KEEP_STRANGER, seller)
  if (met !== undefined) {
    sql.exec(FORGET_KNOWN, JSON.stringify(met.known))
    sql.exec(KEEP_ABSENT, met.sequence, JSON.stringify(met.absent))
  }
  if (forgetAbsent === undefined) return
  sql.exec(FORGET_SELLERS, forgetAbsent, forgetAbsent)
  sql.exec(FORGET_ABSENT, forgetAbsent)
}
