/** The rows of sellers in SQLite. */
import type { Stranger } from '../../../domain/wire/calls.ts'
import type { FeedRow } from '../feed-row.ts'
import type { Ledger } from '../ledger.ts'
import type { Columns, RunSql, Sql } from './sql.ts'
import { keepColumns } from './sql.ts'

/**
 * Max rows that one transaction deletes because their sellers do not exist. Later reports of builders delete the
 * remaining rows.
 */
const MAX_FORGOTTEN = 5_000

const ADD_STRANGER = `
UPDATE feed SET stranger = 1 + (SELECT coalesce(max(stranger), 0) FROM feed WHERE stranger IS NOT NULL), absent = NULL
WHERE seller = ?`
const LIST_STRANGERS = `
SELECT stranger AS number, seller FROM feed WHERE stranger IS NOT NULL ORDER BY stranger LIMIT ?`
const MEET = `
UPDATE feed SET stranger = NULL, absent = ? WHERE stranger IN (SELECT value FROM json_each(?)) AND stranger IS NOT NULL`
const FORGET_ABSENT = `
DELETE FROM feed WHERE seller IN (
  SELECT seller FROM feed WHERE absent <= ? AND changed <= ? AND retry_at IS NULL LIMIT ${MAX_FORGOTTEN}) RETURNING *`

/**
 * `keepRow` and the deletions call `count` with the row before and after the change; `null` means that there is no row.
 */
export function openFeed(
  sql: Sql,
  read: RunSql,
  count: (before: FeedRow | null, after: FeedRow | null) => void,
): Pick<
  Ledger,
  'findRow' | 'keepRow' | 'forgetAbsent' | 'listChanged' | 'listFailing' | 'findOldestFailure'
> &
  ReturnType<typeof openStrangers> {
  const find = (seller: string): FeedRow | null =>
    read<StoredRow>('SELECT * FROM feed WHERE seller = ?', seller).map(parseRow)[0] ?? null
  return {
    ...openStrangers(sql, read),
    findRow: find,
    keepRow: (row) => {
      const known = find(row.seller)
      const stored = known === null ? null : formatRow(known)
      keepColumns(sql, { table: 'feed', key: ['seller', row.seller], known: stored, next: formatRow(row) })
      count(known, row)
    },
    forgetAbsent: (sequence) => {
      for (const row of read<StoredRow>(FORGET_ABSENT, sequence, sequence)) count(parseRow(row), null)
    },
    listChanged: (after) =>
      read<{ seller: string }>(
        'SELECT seller FROM feed WHERE changed > ? ORDER BY changed, seller',
        after,
      ).map(({ seller }) => seller),
    listFailing: (limit = -1) =>
      read<StoredRow>('SELECT * FROM feed WHERE retry_at IS NOT NULL ORDER BY retry_at LIMIT ?', limit).map(
        parseRow,
      ),
    findOldestFailure: () =>
      read<{ since: number | null }>('SELECT min(since) AS since FROM feed WHERE since IS NOT NULL')[0]
        ?.since ?? null,
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

export function findNextTry(read: RunSql): number | null {
  const query = 'SELECT min(retry_at) AS time FROM feed WHERE retry_at IS NOT NULL'
  return read<{ time: number | null }>(query)[0]?.time ?? null
}

interface StoredRow extends Pick<FeedRow, 'seller' | 'changed'> {
  readonly retry_at: number | null
  readonly since: number | null
  readonly failure: string | null
  readonly notices: string | null
}

function parseRow({ seller, changed, retry_at: retryAt, since, failure, notices }: StoredRow): FeedRow {
  return {
    seller,
    changed,
    failure:
      failure === null || retryAt === null || since === null
        ? null
        : { ...JSON.parse(failure), since, retryAt },
    notices: notices === null ? [] : JSON.parse(notices),
  }
}

function formatRow({ changed, failure, notices }: FeedRow): Columns {
  const { retryAt = null, since = null, ...rest } = failure ?? {}
  return {
    changed,
    retry_at: retryAt,
    since,
    failure: failure === null ? null : JSON.stringify(rest),
    notices: notices.length === 0 ? null : JSON.stringify(notices),
  }
}
