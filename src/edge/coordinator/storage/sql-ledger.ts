/**
 * The ledger in SQLite: a row for each seller, the audit log, and the standing, which is one row for
 * everything else (see ledger.ts).
 */
import type { AuditEntry, Counts, Ledger, Stored } from '../ledger.ts'
import { createStored } from '../ledger.ts'
import type { FeedRow } from '../feed-row.ts'
import type { Counted } from './counts.ts'
import { addCounts, countFeedRow, SUMS } from './counts.ts'
import type { RunSql, Sql } from './sql.ts'
import { keepColumns } from './sql.ts'
import { findNextTry, openFeed } from './sql-feed.ts'
import { EARLIER_TABLES, TABLES } from './tables.ts'

/** The ledger within one transaction, which the caller opens and commits. */
interface SqlLedger extends Ledger {
  /** Stores the standing if it has changed. */
  flush(): void
}

/** Max entries of the audit log. */
const LONGEST_LOG = 200

const CREATE_STANDING = `
INSERT INTO standing (only, value, last, published, claimed) VALUES (1, ?, ?, ?, ?) ON CONFLICT DO NOTHING`

/**
 * Creates the tables on first use. The sequence numbers of a new ledger begin at `now`. Returns a function that creates
 * the ledger of each transaction.
 */
export function openLedger(sql: Sql, now: number): () => SqlLedger {
  dropEarlier(sql)
  for (const table of TABLES) sql.exec(table)
  const { last, published, claimed, ...rest } = createStored(now)
  sql.exec(CREATE_STANDING, JSON.stringify(rest), last, published, claimed)
  const read: RunSql = (query, ...bindings) => sql.exec(query, ...bindings).toArray() as readonly never[]
  return () => {
    const { count, ...standing } = openStanding(sql, read)
    return {
      ...standing,
      ...openFeed(sql, read, count),
      ...openLog(sql, read),
    }
  }
}

function dropEarlier(sql: Sql): void {
  const [mark] = EARLIER_TABLES
  if (sql.exec('SELECT 1 FROM sqlite_master WHERE name = ?', mark).toArray().length === 0) return
  for (const table of EARLIER_TABLES) sql.exec(`DROP TABLE IF EXISTS ${table}`)
}

interface StandingRow extends Readonly<Record<string, number>> {
  readonly value: never
}

interface OpenStanding extends Pick<SqlLedger, 'readStanding' | 'update' | 'flush'> {
  count(before: FeedRow | null, after: FeedRow | null): void
}

function openStanding(sql: Sql, read: RunSql): OpenStanding {
  let row: StandingRow | null = null
  let counts: Counted | null = null
  let changes: Partial<Stored> | null = null
  let rest: object | null = null
  const readStored = (): Stored => {
    const known = (row ??= readRow(read))
    const { last = 0, published = 0, claimed = 0 } = known
    // Adds defaults, because a row written by an older version of this code may lack newer fields.
    rest ??= { ...createStored(0), ...JSON.parse(known.value) }
    return { ...(rest as Stored), last, published, claimed, ...changes }
  }
  return {
    count: (before, after) => {
      // Uses the stored `published` and `claimed`, even if this transaction changes them, because `keepStanding` adapts
      // the counts to the new values at the end of the transaction.
      const known = (row ??= readRow(read))
      const { published = 0, claimed = 0 } = known
      const position = { published, claimed }
      counts = addCounts(counts ?? known, countFeedRow(before, position), countFeedRow(after, position))
    },
    readStanding: () => {
      const stored = readStored()
      const known = (row ??= readRow(read))
      return { ...stored, ...readCounts({ ...known, ...counts }, stored, read) }
    },
    update: (more) => {
      changes = { ...changes, ...more }
    },
    flush: () => {
      if (changes === null && counts === null) return
      const known = (row ??= readRow(read))
      keepStanding(sql, known, readStored(), counts ?? known)
      ;[row, counts, changes, rest] = [null, null, null, null]
    },
  }
}

/**
 * Stores the standing with the counts. A new claim covers all changes, so `later` becomes 0. A publish covers all
 * changes up to the last claim, so `due` becomes `later`.
 */
function keepStanding(sql: Sql, known: StandingRow, stored: Stored, counts: Counted): void {
  const { last, published, claimed, ...value } = stored
  const { due = 0, later = 0 } = counts
  const since = claimed === known['claimed'] ? later : 0
  const next = {
    ...pickCounts(counts),
    last,
    published,
    claimed,
    due: published === known['published'] ? due : since,
    later: since,
    value: JSON.stringify(value),
  }
  keepColumns(sql, { table: 'standing', key: ['only', 1], known, next })
}

function pickCounts(counts: Counted): Counted {
  return Object.fromEntries(SUMS.map((name) => [name, counts[name] ?? 0]))
}

function readRow(read: RunSql): StandingRow {
  const [row] = read<StandingRow>('SELECT * FROM standing')
  if (row === undefined) throw new Error('the table `standing` of the coordinator is empty')
  return row
}

function readCounts(row: StandingRow, { published }: Stored, read: RunSql): Counts {
  const pick = (name: string): number => row[name] ?? 0
  return {
    pending: pick(published === pick('published') ? 'due' : 'later') + pick('failing'),
    failing: pick('failing'),
    retryAt: pick('failing') === 0 ? null : findNextTry(read),
  }
}

function openLog(sql: Sql, read: RunSql): Pick<Ledger, 'listLog' | 'addEntry'> {
  return {
    listLog: () =>
      read<{ value: string }>('SELECT value FROM log ORDER BY number DESC').map(({ value }): AuditEntry =>
        JSON.parse(value),
      ),
    // Each new entry replaces the oldest one when the log is full.
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
