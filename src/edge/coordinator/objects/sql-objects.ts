/** The records of objects in SQLite, in tables beside those of the ledger. */
import type { ListedSeller } from '../../../domain/pages/sitemap.ts'
import type { Sql } from '../sql-ledger.ts'
import type {
  Loss,
  ObjectChanges,
  ObjectRecord,
  ObjectRecords,
  ObjectStanding,
  ObjectStep,
} from './object-records.ts'
import { NO_OBJECTS } from './object-records.ts'

export interface SqlObjects extends Omit<ObjectRecords, 'standing'> {
  readStanding(): ObjectStanding
  /** Sellers of a bucket that have products, ascending. */
  listSellers(bucket: number): readonly ListedSeller[]
  /** The buckets with at least one of them, ascending. */
  listBuckets(): readonly number[]
  /** Those of the last changes, ascending. */
  listLatencies(): readonly number[]
  /** The caller provides the transaction. */
  apply(changes: ObjectChanges): void
}

const TABLES = [
  `CREATE TABLE IF NOT EXISTS object_standing (only INTEGER PRIMARY KEY CHECK (only = 1), value TEXT NOT NULL) STRICT`,
  `CREATE TABLE IF NOT EXISTS objects (
    name TEXT PRIMARY KEY, version INTEGER NOT NULL, bucket INTEGER NOT NULL, updated TEXT NOT NULL, answered INTEGER NOT NULL,
    sellers INTEGER NOT NULL, profiles INTEGER NOT NULL, products INTEGER NOT NULL) STRICT, WITHOUT ROWID`,
  `CREATE INDEX IF NOT EXISTS objects_listed ON objects (bucket, name, updated) WHERE products > 0`,
  `CREATE TABLE IF NOT EXISTS losses (name TEXT PRIMARY KEY, since INTEGER NOT NULL, value TEXT NOT NULL) STRICT, WITHOUT ROWID`,
  `CREATE INDEX IF NOT EXISTS losses_by_time ON losses (since)`,
  `CREATE TABLE IF NOT EXISTS refusals (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS latencies (number INTEGER PRIMARY KEY AUTOINCREMENT, ms INTEGER NOT NULL) STRICT`,
]

/** Number of latencies that are kept. */
const MAX_LATENCIES = 1_000

const KEEP_OBJECT = `
INSERT INTO objects VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET
  version = excluded.version, updated = excluded.updated, answered = excluded.answered,
  sellers = excluded.sellers, profiles = excluded.profiles, products = excluded.products`
const KEEP_LOSS = `
INSERT INTO losses VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET since = excluded.since, value = excluded.value`
const KEEP_STANDING = `
INSERT INTO object_standing VALUES (1, ?) ON CONFLICT (only) DO UPDATE SET value = excluded.value`

// One seek for each bucket. DISTINCT would read the whole index.
const LIST_BUCKETS = `
WITH RECURSIVE buckets (bucket) AS (
  SELECT min(bucket) FROM objects INDEXED BY objects_listed WHERE products > 0
  UNION ALL
  SELECT (SELECT min(bucket) FROM objects INDEXED BY objects_listed WHERE products > 0 AND objects.bucket > buckets.bucket)
  FROM buckets WHERE bucket IS NOT NULL)
SELECT bucket FROM buckets WHERE bucket IS NOT NULL`

/** Creates the tables on first use. */
export function openObjects(sql: Sql): SqlObjects {
  for (const table of TABLES) sql.exec(table)
  const read = <Row>(query: string, ...bindings: readonly (string | number)[]): readonly Row[] =>
    sql.exec(query, ...bindings).toArray() as readonly Row[]
  return {
    readStanding: () => {
      const [row] = read<{ value: string }>('SELECT value FROM object_standing')
      // A row written by an older version of this code lacks newer fields.
      return row === undefined ? NO_OBJECTS : { ...NO_OBJECTS, ...JSON.parse(row.value) }
    },
    findObject: (name) => read<ObjectRecord>('SELECT * FROM objects WHERE name = ?', name)[0] ?? null,
    findLoss: (name) =>
      read<{ value: string }>('SELECT value FROM losses WHERE name = ?', name).map(parseLoss)[0] ?? null,
    listLosses: (until) =>
      read<{ value: string }>('SELECT value FROM losses WHERE since <= ?', until).map(parseLoss),
    isRefused: (name) => read('SELECT 1 FROM refusals WHERE name = ?', name).length > 0,
    listSellers: (bucket) =>
      read<ListedSeller>(
        `SELECT name AS seller, updated FROM objects INDEXED BY objects_listed WHERE bucket = ? AND products > 0 ORDER BY name`,
        bucket,
      ),
    listBuckets: () => read<{ bucket: number }>(LIST_BUCKETS).map(({ bucket }) => bucket),
    listLatencies: () => read<{ ms: number }>('SELECT ms FROM latencies ORDER BY ms').map(({ ms }) => ms),
    apply: (changes) => applyChanges(sql, changes),
  }
}

/** Runs one step and writes its changes. The caller provides the transaction. */
export function runObjectStep<Event, Answer, Moment>(
  objects: SqlObjects,
  step: (records: ObjectRecords, event: Event, moment: Moment) => ObjectStep<Answer>,
  event: Event,
  moment: Moment,
): Answer {
  const { changes, answer } = step({ ...objects, standing: objects.readStanding() }, event, moment)
  objects.apply(changes)
  return answer
}

function applyChanges(sql: Sql, changes: ObjectChanges): void {
  const { isReleased, forgottenLosses, losses, forgottenRefusals, refusals, objects, latencies, standing } =
    changes
  if (isReleased === true) for (const table of ['losses', 'refusals']) sql.exec(`DELETE FROM ${table}`)
  for (const name of forgottenLosses ?? []) sql.exec('DELETE FROM losses WHERE name = ?', name)
  for (const loss of losses ?? []) sql.exec(KEEP_LOSS, loss.name, loss.since, JSON.stringify(loss))
  for (const name of forgottenRefusals ?? []) sql.exec('DELETE FROM refusals WHERE name = ?', name)
  for (const name of refusals ?? []) sql.exec('INSERT INTO refusals VALUES (?)', name)
  for (const object of objects ?? []) keepObject(sql, object)
  if (latencies !== undefined && latencies.length > 0) addLatencies(sql, latencies)
  if (standing !== undefined) sql.exec(KEEP_STANDING, JSON.stringify(standing))
}

function keepObject(sql: Sql, object: ObjectRecord): void {
  const { name, version, bucket, updated, answered, sellers, profiles, products } = object
  sql.exec(KEEP_OBJECT, name, version, bucket, updated, answered, sellers, profiles, products)
}

function addLatencies(sql: Sql, latencies: readonly number[]): void {
  for (const ms of latencies) sql.exec('INSERT INTO latencies (ms) VALUES (?)', ms)
  sql.exec('DELETE FROM latencies WHERE number <= (SELECT max(number) FROM latencies) - ?', MAX_LATENCIES)
}

function parseLoss({ value }: { readonly value: string }): Loss {
  return JSON.parse(value)
}
