/** The source of a story on the disk: an embedded database, or a folder. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createEmbedded } from '../../../src/builder/sources/embedded/embedded-create.ts'
import type { Documents, StoryDocument } from './documents.ts'
import type { Round, Story } from './stories.ts'

export interface SourceFile {
  readonly kind: Story['source']
  readonly path: string
}

export async function createSource({ kind, path }: SourceFile, documents: Documents): Promise<void> {
  if (kind !== 'embedded') return writeFolder(path, documents)
  await createEmbedded(path, (database) => {
    for (const one of documents.values()) database.prepare(INSERT).run(...formatRow(one))
  })
}

/** Makes the source hold `after` instead of `before`. */
export function updateSource(
  { kind, path }: SourceFile,
  {
    before,
    after,
    style,
  }: { readonly before: Documents; readonly after: Documents; readonly style: Round['style'] },
): void {
  if (kind !== 'embedded') return writeFolder(path, after)
  const gone = [...before].filter(([key]) => !after.has(key))
  const written = [...after].filter(([key, one]) => JSON.stringify(before.get(key)) !== JSON.stringify(one))
  const database = new DatabaseSync(path)
  database.exec('PRAGMA synchronous = OFF; BEGIN')
  for (const [, { collection, id }] of gone) database.prepare(DELETE).run(collection, id)
  for (const [, one] of written) writeRow(database, one, style)
  database.exec('COMMIT')
  database.close()
}

/** Deletes the older rows of the log of changes, as its owner may. Does nothing in a folder. */
export function pruneLog({ kind, path }: SourceFile, left: number): void {
  if (kind !== 'embedded') return
  const database = new DatabaseSync(path)
  database.prepare('DELETE FROM changes WHERE sequence <= (SELECT max(sequence) FROM changes) - ?').run(left)
  database.close()
}

const INSERT = 'INSERT INTO documents (collection, id, update_time, data) VALUES (?, ?, ?, ?)'
const REPLACE = INSERT.replace('INSERT', 'INSERT OR REPLACE')
const UPDATE = 'UPDATE documents SET data = ? WHERE collection = ? AND id = ?'
// A trigger sets the time of an updated row to now.
const SET_TIME = 'UPDATE documents SET update_time = ? WHERE collection = ? AND id = ?'
const DELETE = 'DELETE FROM documents WHERE collection = ? AND id = ?'

function writeRow(database: DatabaseSync, document: StoryDocument, style: Round['style']): void {
  const { collection, id, updateTime, data } = document
  if (style === 'update' && database.prepare(UPDATE).run(JSON.stringify(data), collection, id).changes > 0) {
    database.prepare(SET_TIME).run(updateTime, collection, id)
    return
  }
  if (style === 'reinsert') database.prepare(DELETE).run(collection, id)
  database.prepare(style === 'replace' ? REPLACE : INSERT).run(...formatRow(document))
}

function formatRow({ collection, id, updateTime, data }: StoryDocument): [string, string, string, string] {
  return [collection, id, updateTime, JSON.stringify(data)]
}

function writeFolder(path: string, documents: Documents): void {
  mkdirSync(path, { recursive: true })
  for (const name of ['users', 'cataloge']) {
    const chosen = [...documents.values()].filter(({ collection }) => collection === name)
    const lines = chosen.map(({ id, updateTime, data }) => `${JSON.stringify({ id, updateTime, data })}\n`)
    writeFileSync(join(path, `${name}.ndjson`), lines.join(''))
  }
}
