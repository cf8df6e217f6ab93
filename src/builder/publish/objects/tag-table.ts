/** The tags of all objects, in a temporary file, because their number is unlimited. */
import { ALL_BUCKETS } from '../../../domain/objects/object-key.ts'
import { DatabaseSync } from 'node:sqlite'
import type { ObjectTag } from '../../../domain/wire/object-calls.ts'
import { inLanes } from '../../../domain/work/batches.ts'
import { runTransaction } from '../../state/sqlite/transactions.ts'
import type { Delivery } from './delivery.ts'

type KnownTag = Pick<ObjectTag, 'name' | 'tag' | 'digest'>

export interface TagTable {
  /** Whether the store has no object, not even a tombstone. */
  readonly isEmpty: boolean
  /** Returns an entry whose `tag` is `null` if there is no object. */
  find(name: string): KnownTag
  markSeen(name: string): void
  /** Returns the objects with data that were not marked as seen. */
  readUnseen(): Iterable<KnownTag>
  /** Returns whether the object was not marked as seen and has no data, so that nothing has to be deleted. */
  isGone(name: string): boolean
  close(): void
}

// An empty name means a temporary file, removed with the connection. Source: https://sqlite.org/inmemorydb.html#temp_db
const TEMPORARY = ''
const SCHEMA = `
PRAGMA journal_mode = OFF;
CREATE TABLE tags (
  name TEXT PRIMARY KEY, tag TEXT, digest TEXT, seen INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;`

/** Max buckets whose tags are requested at the same time. */
const WIDTH = 8
/** Max unseen objects per query. No query is open while objects are yielded, so the caller may change the table. */
const PART = 500

export async function readAllTags(readTags: Delivery['readTags']): Promise<TagTable> {
  const database = new DatabaseSync(TEMPORARY)
  try {
    database.exec(SCHEMA)
    await fill(database, readTags)
  } catch (error) {
    database.close()
    throw error
  }
  return createTable(database)
}

async function fill(database: DatabaseSync, readTags: Delivery['readTags']): Promise<void> {
  const put = database.prepare('INSERT OR REPLACE INTO tags (name, tag, digest) VALUES (?, ?, ?)')
  const keep = (objects: readonly ObjectTag[]): void =>
    runTransaction(database, () => {
      for (const { name, tag, digest } of objects) if (tag !== null) put.run(name, tag, digest)
    })
  await inLanes(ALL_BUCKETS.values(), WIDTH, async (bucket) => {
    let after: string | null = null
    do {
      const answer = await readTags({ bucket, after })
      keep(answer.objects)
      after = answer.next
    } while (after !== null)
  })
}

function createTable(database: DatabaseSync): TagTable {
  const find = database.prepare('SELECT tag, digest FROM tags WHERE name = ?')
  const see = database.prepare(
    'INSERT INTO tags (name, seen) VALUES (?, 1) ON CONFLICT DO UPDATE SET seen = 1',
  )
  const unseen = database.prepare(
    `SELECT name, tag, digest FROM tags WHERE seen = 0 AND digest IS NOT NULL AND name > ? ORDER BY name LIMIT ${PART}`,
  )
  const seen = database.prepare('SELECT 1 FROM tags WHERE name = ? AND (seen = 1 OR digest IS NOT NULL)')
  return {
    isEmpty: database.prepare('SELECT 1 FROM tags').get() === undefined,
    find: (name) => toTag({ name, ...find.get(name) }),
    markSeen: (name) => void see.run(name),
    *readUnseen() {
      let last = ''
      for (;;) {
        const rows = unseen.all(last).map(toTag)
        yield* rows
        if (rows.length < PART) return
        last = rows.at(-1)?.name ?? ''
      }
    },
    isGone: (name) => seen.get(name) === undefined,
    close: () => database.close(),
  }
}

function toTag({ name, tag, digest }: Record<string, unknown>): KnownTag {
  return {
    name: String(name),
    tag: typeof tag === 'string' ? tag : null,
    digest: typeof digest === 'string' ? digest : null,
  }
}
