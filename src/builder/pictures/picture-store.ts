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
-- The run that last made a site with these pictures, and the sellers whose pictures have changed since then.
CREATE TABLE site (run TEXT NOT NULL);
CREATE TABLE log (number INTEGER PRIMARY KEY, seller TEXT NOT NULL);
INSERT INTO site VALUES ('');
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
    /** Returns whether this run last made a site with these pictures. */
    isOf: (run: string): boolean => database.prepare('SELECT run FROM site').get()?.['run'] === run,
    /** Returns the number of the last change. */
    readLast: (): number => Number(database.prepare('SELECT max(number) AS last FROM log').get()?.['last']),
    /** Returns the sellers whose pictures have changed since that run. */
    readChanges: (): readonly string[] => listTexts(database.prepare('SELECT DISTINCT seller FROM log')),
    /** Notes that the site of this run shows every change up to this number. */
    settle: (run: string, last: number): void => {
      database.prepare('UPDATE site SET run = ?').run(run)
      database.prepare('DELETE FROM log WHERE number <= ?').run(last)
    },
  }
}
