/**
 * The picture store: one SQLite file that outlives the state. It holds photos with their pictures, pictures for shared
 * links, the photos that each seller shows, and a log of the sellers whose pictures changed.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { PicturePosition } from '../state/site-state.ts'
import type { Schema } from '../state/sqlite/open-database.ts'
import { listTexts } from '../state/sqlite/values.ts'
import { openKeptDatabase } from './open-kept-database.ts'
import type { StoredFile } from './photo-rows.ts'
import { createPhotoReads, createPhotoWrites, putFile } from './photo-rows.ts'

export type Warn = (message: string) => void

const SCHEMA: Schema = {
  version: 6,
  sql: `
CREATE TABLE photos (
  address TEXT PRIMARY KEY,
  -- When it was tried last, and when it may be tried again. Milliseconds since 1970.
  tried INTEGER NOT NULL DEFAULT 0,
  due INTEGER NOT NULL DEFAULT 0,
  -- Failures in a row, and why the last one.
  tries INTEGER NOT NULL DEFAULT 0,
  reason TEXT,
  -- The picture stays when a later try fails.
  picture TEXT,
  preview TEXT,
  stem TEXT,
  -- What was tried last, and how the picture was made.
  source TEXT NOT NULL DEFAULT '',
  recipe TEXT NOT NULL DEFAULT '',
  etag TEXT,
  modified TEXT
) WITHOUT ROWID;
CREATE TABLE socials (seller TEXT PRIMARY KEY, path TEXT NOT NULL, inputs TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE files (path TEXT PRIMARY KEY, stem TEXT NOT NULL, bytes BLOB NOT NULL);
CREATE TABLE uses (seller TEXT NOT NULL, address TEXT NOT NULL, PRIMARY KEY (seller, address)) WITHOUT ROWID;
CREATE INDEX uses_address ON uses (address);
-- Sellers whose pictures changed. The random number tells a log from another that has as many rows.
CREATE TABLE log (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  random TEXT NOT NULL DEFAULT (lower(hex(randomblob(8)))),
  seller TEXT NOT NULL
);
INSERT INTO log (seller) VALUES ('');
`,
}

export type PictureStore = ReturnType<typeof openPictureStore>

/** `warn` is called if the file was damaged or of another format, and was renamed. */
export function openPictureStore(file: string, warn: Warn) {
  const database = openKeptDatabase(file, SCHEMA, warn)
  const findFile = database.prepare('SELECT bytes FROM files WHERE path = ?')
  return {
    ...createPhotoReads(database),
    ...createPhotoWrites(database),
    ...createSocials(database),
    ...createLog(database),
    readFile: (path: string): Uint8Array | null => {
      const bytes = findFile.get(path)?.['bytes']
      return bytes instanceof Uint8Array ? bytes : null
    },
    /** Runs `work` in one short transaction, which an error rolls back. */
    transact: <T>(work: () => T): T => runTransaction(database, work),
    close: () => database.close(),
  }
}

function createSocials(database: DatabaseSync) {
  const find = database.prepare('SELECT path, inputs FROM socials WHERE seller = ?')
  const findSocial = (seller: string): { readonly path: string; readonly inputs: string } | null => {
    const row = find.get(seller)
    return row === undefined ? null : { path: String(row['path']), inputs: String(row['inputs']) }
  }
  return {
    findSocial,
    keepSocial: (seller: string, inputs: string, file: StoredFile): void => {
      const isNew = findSocial(seller)?.path !== file.path
      putFile(database, file, file.path)
      database.prepare('INSERT OR REPLACE INTO socials VALUES (?, ?, ?)').run(seller, file.path, inputs)
      if (isNew) database.prepare('INSERT INTO log (seller) VALUES (?)').run(seller)
    },
  }
}

function createLog(database: DatabaseSync) {
  const hasRow = ({ identity, sequence }: PicturePosition): boolean =>
    database.prepare('SELECT 1 FROM log WHERE number = ? AND random = ?').get(sequence, identity) !==
    undefined
  return {
    /** Returns the last row of the log. */
    readVersion: (): PicturePosition => {
      const row = database.prepare('SELECT number, random FROM log ORDER BY number DESC LIMIT 1').get()
      return { identity: String(row?.['random']), sequence: Number(row?.['number']) }
    },
    /** Returns the sellers of later rows; `null` if the log does not have this row. */
    readChanges: (position: PicturePosition | null): readonly string[] | null => {
      if (position === null || !hasRow(position)) return null
      const later = "SELECT DISTINCT seller FROM log WHERE number > ? AND seller <> '' ORDER BY seller"
      return listTexts(database.prepare(later), position.sequence)
    },
    /** Deletes the rows before this one. */
    forgetChanges: (position: PicturePosition | null): void => {
      if (position !== null && hasRow(position))
        database.prepare('DELETE FROM log WHERE number < ?').run(position.sequence)
    },
  }
}

/** `BEGIN IMMEDIATE`: a transaction that reads first would fail if another process wrote before it writes. */
function runTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    // SQLite itself ends the transaction after some errors.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}
