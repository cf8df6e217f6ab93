/** The rows of objects in SQLite. */
import type { ObjectName } from '../../../domain/objects/object-data.ts'
import type { ListedSeller } from '../../../domain/pages/sitemap.ts'
import type { Ledger } from '../ledger.ts'
import type { KnownObject } from '../object-ledger.ts'
import type { ObjectRow } from '../objects/object-row.ts'
import { DIMENSIONS, isSameCount } from '../objects/object-row.ts'
import type { Read, Sql, Value } from './sql.ts'

const COLUMNS = ['version', 'updated', ...DIMENSIONS, 'since', 'loss', 'until', 'removal']
const KEEP_OBJECT = `
INSERT INTO objects (name, bucket, ${COLUMNS.join(', ')}) VALUES (?, ?${', ?'.repeat(COLUMNS.length)})
ON CONFLICT (name) DO UPDATE SET ${COLUMNS.map((one) => `${one} = excluded.${one}`).join(', ')}`
const KEEP_VERSION = 'UPDATE objects SET version = ?, updated = ? WHERE name = ?'

// One seek for each bucket. DISTINCT would read the whole index.
const NEXT_BUCKET =
  'SELECT min(bucket) FROM objects INDEXED BY objects_by_bucket WHERE sellers > 0 AND products > 0'
const LIST_BUCKETS = `
WITH RECURSIVE buckets (bucket) AS (
  ${NEXT_BUCKET} UNION ALL SELECT (${NEXT_BUCKET} AND objects.bucket > buckets.bucket) FROM buckets WHERE bucket IS NOT NULL)
SELECT bucket FROM buckets WHERE bucket IS NOT NULL`

export function openObjects(
  sql: Sql,
  read: Read,
): Pick<
  Ledger,
  'findObject' | 'keepObject' | 'listLosses' | 'listGuarded' | 'listKnown' | 'listListed' | 'listBuckets'
> {
  const list = (query: string, ...bindings: readonly Value[]): readonly ObjectRow[] =>
    read<StoredObjectRow>(`SELECT * FROM objects ${query}`, ...bindings).map(parseObject)
  const find = (name: ObjectName): ObjectRow | null => list('WHERE name = ?', name)[0] ?? null
  return {
    findObject: find,
    keepObject: (object) => keepObject(sql, find(object.name), object),
    listLosses: (until) => list('WHERE since <= ?', until),
    listGuarded: () => list('WHERE since IS NOT NULL OR until IS NOT NULL'),
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
  const { name, version, bucket, updated, sellers, profiles, products } = row
  return {
    name,
    version,
    bucket,
    updated,
    sellers,
    profiles,
    products,
    loss: since === null || loss === null ? null : { since, ...JSON.parse(loss) },
    removal: until === null || removal === null ? null : { until, after: JSON.parse(removal) },
  }
}

function keepObject(sql: Sql, known: ObjectRow | null, object: ObjectRow): void {
  const { name, version, bucket, updated, loss, removal } = object
  // Another price writes no entry of an index.
  if (known !== null && isSameCount(known, object)) {
    const isSame = known.version === version && known.updated === updated
    return isSame ? undefined : void sql.exec(KEEP_VERSION, version, updated, name)
  }
  const lost = loss === null ? null : JSON.stringify({ before: loss.before, lost: loss.lost })
  const removed = removal === null ? null : JSON.stringify(removal.after)
  const counts = DIMENSIONS.map((one) => object[one])
  const guard = [loss?.since ?? null, lost, removal?.until ?? null, removed]
  sql.exec(KEEP_OBJECT, name, bucket, version, updated, ...counts, ...guard)
}
