/**
 * Merges one embedded database into another. Writes only documents that differ, so only these are logged as changes.
 */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import type { Json } from '../../../domain/documents/json.ts'
import { formatCanonicalJson } from '../../../domain/documents/json.ts'
import { explainSqlite } from './embedded-errors.ts'
import { openForWriting } from './embedded-file.ts'

/** Numbers of documents. */
export interface Differences {
  readonly inserted: number
  readonly updated: number
  readonly removed: number
}

const SAME_KEY = 'incoming.collection = present.collection AND incoming.id = present.id'

const REMOVE = `DELETE FROM main.documents AS present
WHERE NOT EXISTS (SELECT 1 FROM staged.documents AS incoming WHERE ${SAME_KEY})`

// A folder may lack update times. The trigger `set_time` then sets the time of a document whose data changes.
const TIME = 'coalesce(incoming.update_time, present.update_time)'

const UPDATE = `UPDATE main.documents AS present SET update_time = ${TIME}, data = incoming.data
FROM staged.documents AS incoming
WHERE ${SAME_KEY} AND (${TIME} IS NOT present.update_time OR incoming.seller IS NOT present.seller
  OR (incoming.data <> present.data AND NOT same_json(incoming.data, present.data)))`

// Corrects times after `UPDATE`. If the incoming time equals the old one, the trigger `set_time` assumes that no time
// was set, and has replaced it by the current time.
const SET_TIME = `UPDATE main.documents AS present SET update_time = ${TIME}
FROM staged.documents AS incoming
WHERE ${SAME_KEY} AND ${TIME} IS NOT present.update_time`

const INSERT = `INSERT INTO main.documents (collection, id, update_time, data)
SELECT collection, id, update_time, data FROM staged.documents AS incoming
WHERE NOT EXISTS (SELECT 1 FROM main.documents AS present WHERE ${SAME_KEY})`

/**
 * Merges the database at `staged` into the one at `path`, in one transaction. With `remove`, deletes documents that
 * `staged` does not have.
 */
export function mergeDatabase(path: string, staged: string, remove: boolean): Differences {
  const database = openForWriting(path)
  try {
    database.prepare('ATTACH ? AS staged').run(staged)
    database.function('same_json', { deterministic: true }, isSameJson)
    const removed = remove ? run(database, REMOVE) : 0
    const updated = run(database, UPDATE)
    run(database, SET_TIME)
    const inserted = run(database, INSERT)
    database.exec('COMMIT')
    return { inserted, updated, removed }
  } catch (error) {
    throw explainSqlite(path, error)
  } finally {
    database.close()
  }
}

function run(database: DatabaseSync, sql: string): number {
  return Number(database.prepare(sql).run().changes)
}

function isSameJson(a: SQLOutputValue, b: SQLOutputValue): number {
  return formatCanonicalJson(parseJson(a)) === formatCanonicalJson(parseJson(b)) ? 1 : 0
}

function parseJson(text: SQLOutputValue): Json {
  return JSON.parse(String(text))
}
