/**
 * The picture store: one SQLite file that outlives the state. It holds photos with their pictures, pictures for shared
 * links, the photos that each seller shows, and a log of the sellers whose pictures changed.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { Schema } from '../state/sqlite/open-database.ts'
import { openDatabase } from '../state/sqlite/open-database.ts'
import { listTexts } from '../state/sqlite/values.ts'
import type { StoredFile } from './photo-rows.ts'
import { createPhotoReads, createPhotoWrites, putFile } from './photo-rows.ts'
import { setAside } from './set-aside.ts'

const SCHEMA: Schema = {
  version: 7,
  sql: `
CREATE TABLE photos (
  address TEXT PRIMARY KEY,
  -- When it may be tried again, in milliseconds since 1970.
  due INTEGER NOT NULL DEFAULT 0,
  -- Failures in a row, and why the last one.
  tries INTEGER NOT NULL DEFAULT 0,
  reason TEXT,
  -- The picture stays when a later try fails.
  made TEXT,
  stem TEXT,
  -- What the picture was made from.
  source TEXT NOT NULL,
  recipe TEXT NOT NULL DEFAULT '',
  etag TEXT
) WITHOUT ROWID;
CREATE TABLE socials (seller TEXT PRIMARY KEY, path TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE files (path TEXT PRIMARY KEY, stem TEXT NOT NULL, bytes BLOB NOT NULL);
CREATE INDEX files_stem ON files (stem);
CREATE TABLE uses (
  seller TEXT NOT NULL, address TEXT NOT NULL, place INTEGER NOT NULL, PRIMARY KEY (seller, address)
) WITHOUT ROWID;
CREATE INDEX uses_address ON uses (address);
-- Sellers whose pictures changed. The random version tells a log from another that has as many rows.
CREATE TABLE log (
  number INTEGER PRIMARY KEY,
  version TEXT NOT NULL UNIQUE DEFAULT (lower(hex(randomblob(8)))),
  seller TEXT NOT NULL
);
INSERT INTO log (seller) VALUES ('');
`,
}

export type PictureStore = ReturnType<typeof openPictureStore>

/** `warn` is called if the file was damaged or of another format, and was renamed. */
export function openPictureStore(file: string, warn: (message: string) => void) {
  const database = openDatabase(file, SCHEMA, () => setAside(file, warn))
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
    transact: <T>(work: () => T): T => {
      database.exec('BEGIN')
      try {
        const result = work()
        database.exec('COMMIT')
        return result
      } finally {
        if (database.isTransaction) database.exec('ROLLBACK')
      }
    },
    close: () => database.close(),
  }
}

function createSocials(database: DatabaseSync) {
  const find = database.prepare('SELECT path FROM socials WHERE seller = ?')
  return {
    findSocial: (seller: string): string | null => listTexts(find, seller)[0] ?? null,
    keepSocial: (seller: string, file: StoredFile): void => {
      putFile(database, file, file.path)
      database.prepare('INSERT OR REPLACE INTO socials VALUES (?, ?)').run(seller, file.path)
      database.prepare('INSERT INTO log (seller) VALUES (?)').run(seller)
    },
  }
}

function createLog(database: DatabaseSync) {
  return {
    /** Returns the version of the log's last row. */
    readVersion: (): string =>
      listTexts(database.prepare('SELECT version FROM log ORDER BY number DESC LIMIT 1'))[0] ?? '',
    /** Returns the sellers of the rows after this version; `null` if the log does not have it. */
    readChanges: (version: string | null): readonly string[] | null => {
      const [number] = listTexts(database.prepare('SELECT number FROM log WHERE version = ?'), version)
      if (number === undefined) return null
      return listTexts(database.prepare('SELECT DISTINCT seller FROM log WHERE number > ?'), Number(number))
    },
  }
}
