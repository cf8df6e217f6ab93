/** The ledger in SQLite: its standing, the log and the deliveries. */
import type { AuditEntry, Counts, Ledger, Stored } from '../ledger.ts'
import { createStored } from '../ledger.ts'
import type { Totals } from '../objects/object-row.ts'
import type { Read, Sql } from './sql.ts'
import { findNext, openFeed } from './sql-feed.ts'
import { openObjects } from './sql-objects.ts'
import { TABLES } from './tables.ts'

/** For one transaction, which the caller provides. */
export interface SqlLedger extends Ledger {
  /** Stores the standing if it has changed. */
  flush(): void
}

/** Number of entries that the audit log keeps. */
const LONGEST_LOG = 200
const DAY = 24 * 60 * 60_000

const CREATE_STANDING = `
INSERT INTO standing (only, value, last, published, claimed) VALUES (1, ?, ?, ?, ?) ON CONFLICT DO NOTHING`
// Rows counted since the last claim are those that wait after its report.
const KEEP_STANDING = `
UPDATE standing SET value = ?1, last = max(last, ?2), put = max(put, ?3), published = ?4, claimed = ?5,
  due = CASE WHEN published = ?4 THEN due WHEN claimed = ?5 THEN later ELSE 0 END,
  later = CASE WHEN claimed = ?5 THEN later ELSE 0 END`

/** Creates the tables on first use, with `now` as the origin of the ledger. Returns a ledger for each transaction. */
export function openLedger(sql: Sql, now: number): () => SqlLedger {
  for (const table of TABLES) sql.exec(table)
  const { last, published, claimed, ...rest } = createStored(now)
  sql.exec(CREATE_STANDING, JSON.stringify(rest), last, published, claimed)
  const read: Read = (query, ...bindings) => sql.exec(query, ...bindings).toArray() as readonly never[]
  return () => ({
    ...openStanding(sql, read),
    ...openFeed(sql, read),
    ...openObjects(sql, read),
    ...openLists(sql, read),
  })
}

interface StandingRow extends Readonly<Record<string, number>> {
  readonly value: never
}

function openStanding(sql: Sql, read: Read): Pick<SqlLedger, 'readStanding' | 'update' | 'flush'> {
  let changes: Partial<Stored> | null = null
  let rest: object | null = null
  const readStored = (row: StandingRow): Stored => {
    const { last = 0, published = 0, claimed = 0, put = 0 } = row
    // A row written by an older version of this code lacks newer fields.
    rest ??= { ...createStored(0), ...JSON.parse(row.value) }
    const stored = { ...(rest as Stored), last, published, claimed, lastPut: put || null, ...changes }
    return { ...stored, last: Math.max(last, stored.last) }
  }
  return {
    readStanding: () => {
      const row = readRow(read)
      const stored = readStored(row)
      return { ...stored, ...readCounts(row, stored, read) }
    },
    update: (more) => {
      changes = { ...changes, ...more }
    },
    flush: () => {
      if (changes === null) return
      const { last, published, claimed, lastPut, ...value } = readStored(readRow(read))
      sql.exec(KEEP_STANDING, JSON.stringify(value), last, lastPut ?? 0, published, claimed)
      changes = null
    },
  }
}

function readRow(read: Read): StandingRow {
  const [row] = read<StandingRow>('SELECT * FROM standing')
  if (row === undefined) throw new Error('the coordinator lacks its standing row')
  return row
}

function readCounts(row: StandingRow, { published }: Stored, read: Read): Counts {
  const pick = (name: string): number => row[name] ?? 0
  const sum = (part: string): Totals => ({
    sellers: pick(`all_${part}sellers`),
    profiles: pick(`all_${part}profiles`),
    products: pick(`all_${part}products`),
  })
  return {
    lastNotice: pick('noticed') || null,
    pending: pick(published === pick('published') ? 'due' : 'later') + pick('broken'),
    waiting: pick('waiting'),
    sent: read<{ count: number }>(`SELECT count(*) AS count FROM feed WHERE phase = 'sent'`)[0]?.count ?? 0,
    failed: pick('failed'),
    held: pick('held'),
    large: pick('large'),
    broken: pick('broken'),
    retryAt: pick('broken') === 0 ? null : findNext(read, 'broken'),
    totals: sum(''),
    before: sum('before_'),
    lost: sum('lost_'),
    refusals: pick('refusals'),
  }
}

function openLists(
  sql: Sql,
  read: Read,
): Pick<Ledger, 'hasDelivery' | 'addDelivery' | 'listLog' | 'addEntry'> {
  const findDay = (now: number): number => Math.floor(now / DAY)
  return {
    // A sender may repeat a notice for a day: it was noted today or yesterday.
    hasDelivery: (id, now) =>
      read('SELECT 1 FROM deliveries WHERE day IN (?, ?) AND id = ?', findDay(now), findDay(now) - 1, id)
        .length > 0,
    addDelivery: (id, now) => {
      sql.exec('DELETE FROM deliveries WHERE day < ?', findDay(now) - 1)
      sql.exec('INSERT INTO deliveries VALUES (?, ?)', findDay(now), id)
    },
    listLog: () =>
      read<{ value: string }>('SELECT value FROM log ORDER BY number DESC').map(({ value }): AuditEntry =>
        JSON.parse(value),
      ),
    // Each takes the place of an older one.
    addEntry: (entry) => {
      const [last] = read<{ number: number | null }>('SELECT max(number) AS number FROM log')
      const number = (last?.number ?? 0) + 1
      sql.exec(
        'INSERT OR REPLACE INTO log VALUES (?, ?, ?)',
        number % LONGEST_LOG,
        number,
        JSON.stringify(entry),
      )
    },
  }
}
