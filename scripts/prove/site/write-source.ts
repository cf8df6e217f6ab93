/**
 * Writes documents to a source: all of them to the two files of a folder or to a new embedded database, or only the
 * changed ones to an existing database.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { COLLECTIONS } from '../../../src/domain/documents/document.ts'
import { createEmbedded } from '../../../src/builder/sources/embedded/embedded-create.ts'
import type { Doc, Documents, SourceKind } from './documents.ts'
import type { WriteStyle } from '../equivalence/sequence.ts'

const COLUMNS = '(collection, id, update_time, data) VALUES (?, ?, ?, ?)'
const INSERT = `INSERT INTO documents ${COLUMNS}`
const UPDATE = 'UPDATE documents SET update_time = ?, data = ? WHERE collection = ? AND id = ?'
// If an update changes the data but not the time, a trigger sets the time to now. This statement then restores the
// time.
const SET_TIME = 'UPDATE documents SET update_time = ? WHERE collection = ? AND id = ?'
const REMOVE = 'DELETE FROM documents WHERE collection = ? AND id = ?'

export async function createSource(path: string, kind: SourceKind, documents: Documents): Promise<void> {
  if (kind === 'folder') return writeFolder(path, documents)
  const fill = (database: DatabaseSync): void => {
    const insert = database.prepare(INSERT)
    for (const doc of documents.values()) insert.run(...formatRow(doc))
  }
  await createEmbedded(path, fill)
}

interface SourceUpdate {
  /** The documents that the source holds. */
  readonly before: Documents
  readonly after: Documents
  readonly style: WriteStyle
  /** True if the update of an embedded database must survive a power cut, which makes the update slower. */
  readonly isDurable: boolean
}

export function updateSource(
  path: string,
  kind: SourceKind,
  { before, after, style, isDurable }: SourceUpdate,
): void {
  if (kind === 'folder') return writeFolder(path, after)
  const gone = [...before].filter(([key]) => !after.has(key)).map(([, doc]) => doc)
  const written = [...after].filter(([key, doc]) => !isSame(before.get(key), doc)).map(([, doc]) => doc)
  if (gone.length + written.length === 0) return
  const database = new DatabaseSync(path)
  database.exec(`PRAGMA synchronous = ${isDurable ? 'FULL' : 'OFF'}; BEGIN`)
  for (const { collection, id } of gone) database.prepare(REMOVE).run(collection, id)
  for (const doc of written) writeRow(database, doc, style)
  database.exec('COMMIT')
  database.close()
}

function writeRow(database: DatabaseSync, doc: Doc, style: WriteStyle): void {
  const { collection, id, updateTime, text } = doc
  if (style === 'update') {
    if (database.prepare(UPDATE).run(updateTime, text, collection, id).changes > 0) {
      database.prepare(SET_TIME).run(updateTime, collection, id)
      return
    }
  } else if (style === 'reinsert') {
    database.prepare(REMOVE).run(collection, id)
  }
  database
    .prepare(style === 'replace' ? INSERT.replace('INSERT', 'INSERT OR REPLACE') : INSERT)
    .run(...formatRow(doc))
}

function writeFolder(path: string, documents: Documents): void {
  mkdirSync(path, { recursive: true })
  for (const name of COLLECTIONS) {
    const lines = [...documents.values()].filter(({ collection }) => collection === name).map(formatLine)
    writeFileSync(join(path, `${name}.ndjson`), lines.join(''))
  }
}

function formatLine({ id, updateTime, text }: Doc): string {
  return `{"id":${JSON.stringify(id)},"updateTime":"${updateTime}","data":${text}}\n`
}

function formatRow({ collection, id, updateTime, text }: Doc): [string, string, string, string] {
  return [collection, id, updateTime, text]
}

function isSame(a: Doc | undefined, b: Doc): boolean {
  return a !== undefined && a.updateTime === b.updateTime && a.text === b.text
}
