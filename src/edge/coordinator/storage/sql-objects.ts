/** The rows of objects in SQLite. */
import type { ListedSeller } from '../../../domain/pages/sitemap.ts'
import type { Ledger } from '../ledger.ts'
import type { KnownObject } from '../object-ledger.ts'
import type { ObjectRow } from '../objects/object-row.ts'
import { DIMENSIONS } from '../objects/object-row.ts'
import type { Counted } from './counts.ts'
import { countObjectRow } from './counts.ts'
import type { Columns, RunSql, Sql, SqlValue } from './sql.ts'
import { keepColumns, readEach } from './sql.ts'

// One seek for each bucket, because `DISTINCT` would read the whole index.
const NEXT_BUCKET =
  'SELECT min(bucket) FROM objects INDEXED BY objects_by_bucket WHERE sellers > 0 AND products > 0'
const LIST_BUCKETS = `
WITH RECURSIVE buckets (bucket) AS (
  ${NEXT_BUCKET} UNION ALL SELECT (${NEXT_BUCKET} AND objects.bucket > buckets.bucket) FROM buckets WHERE bucket IS NOT NULL)
SELECT bucket FROM buckets WHERE bucket IS NOT NULL`

const SHARES = DIMENSIONS.map((one) => `json_extract(loss, '$.lost.${one}') * 1.0 / max(1, ?)`)
const GREATEST_LOSS = `WHERE since IS NOT NULL ORDER BY ${SHARES.join(' + ')} DESC LIMIT 1`

/**
 * `count` is called after each write of a row, with what the old row and the new row add to the coordinator's counts.
 */
export function openObjects(
  sql: Sql,
  read: RunSql,
  count: (before: Counted, after: Counted) => void,
): Pick<
  Ledger,
  | 'findObject'
  | 'keepObject'
  | 'eachLoss'
  | 'eachGuarded'
  | 'findGreatestLoss'
  | 'listKnown'
  | 'listListed'
  | 'listBuckets'
> {
  const list = (query: string, ...bindings: readonly SqlValue[]): readonly ObjectRow[] =>
    read<StoredObjectRow>(`SELECT * FROM objects ${query}`, ...bindings).map(parseObject)
  const find = (name: string): ObjectRow | null => list('WHERE name = ?', name)[0] ?? null
  const readAll = (query: string, ...bindings: readonly SqlValue[]): Iterable<ObjectRow> => {
    const rows = read<Pick<ObjectRow, 'name'>>(`SELECT name FROM objects ${query}`, ...bindings)
    return readEach(
      rows.map(({ name }) => name),
      find,
    )
  }
  return {
    findObject: find,
    keepObject: (object) => {
      const known = find(object.name)
      const stored = known === null ? null : formatObject(known)
      keepColumns(sql, {
        table: 'objects',
        key: ['name', object.name],
        known: stored,
        next: formatObject(object),
      })
      count(countObjectRow(known), countObjectRow(object))
    },
    eachLoss: (until) => readAll('WHERE since <= ?', until),
    // With `since IS NOT NULL`, SQLite would read the whole table instead of the two indexes.
    eachGuarded: (now) => readAll('WHERE since >= 0 OR until <= ?', now),
    findGreatestLoss: (totals) => list(GREATEST_LOSS, ...DIMENSIONS.map((one) => totals[one]))[0] ?? null,
    listKnown: (bucket) =>
      read<KnownObject>(
        'SELECT name, version FROM objects INDEXED BY objects_by_bucket WHERE bucket = ? AND sellers > 0',
        bucket,
      ),
    listListed: (bucket) =>
      read<ListedSeller>(
        `SELECT name AS seller, updated FROM objects INDEXED BY objects_by_bucket
        WHERE bucket = ? AND sellers > 0 AND products > 0 ORDER BY name`,
        bucket,
      ),
    listBuckets: () => read<{ bucket: number }>(LIST_BUCKETS).map(({ bucket }) => bucket),
  }
}

interface StoredObjectRow extends Omit<ObjectRow, 'loss' | 'removal'> {
  readonly since: number | null
  readonly loss: string | null
  readonly until: number | null
  readonly removal: string | null
}

function parseObject({ since, loss, until, removal, ...row }: StoredObjectRow): ObjectRow {
  return {
    ...row,
    loss: since === null || loss === null ? null : { since, ...JSON.parse(loss) },
    removal: until === null || removal === null ? null : { until, after: JSON.parse(removal) },
  }
}

function formatObject({ version, bucket, updated, loss, removal, ...row }: ObjectRow): Columns {
  const { sellers, profiles, products } = row
  return {
    version,
    bucket,
    updated,
    sellers,
    profiles,
    products,
    since: loss?.since ?? null,
    loss: loss === null ? null : JSON.stringify({ before: loss.before, lost: loss.lost }),
    until: removal?.until ?? null,
    removal: removal === null ? null : JSON.stringify(removal.after),
  }
}
