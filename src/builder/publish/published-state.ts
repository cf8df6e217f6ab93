/** Stores the verified files and the last published version, so that the next publish verifies only changed files. */
import type { DatabaseSync } from 'node:sqlite'
import type { LiveFile } from './live-file.ts'
import { toText } from '../state/sqlite/values.ts'
import type { Schema } from '../state/sqlite/open-database.ts'
import { openDatabase } from '../state/sqlite/open-database.ts'

export interface PublishedState extends LiveFile {
  /** Returns the file's hash at its last verification, or `null`. */
  findDigest(path: string): string | null
  readPaths(): Iterable<string>
  /** Stores a verified file. `links` are the paths of the site to which the file refers. */
  keep(path: string, digest: string, links: readonly string[]): void
  drop(path: string): void
  /** Yields the verified files that refer to this path of the site. */
  findReferring(link: string): Iterable<string>
  /** Begins a transaction, unless one is open. Later calls of `keep` and `drop` become durable with `writeLive`. */
  begin(): void
  close(): void
}

const SCHEMA: Schema = {
  application: 'publ',
  version: 2,
  sql: `
-- Most pages refer to the same files: equal sets of references are stored once.
CREATE TABLE link_sets (id INTEGER PRIMARY KEY, links TEXT NOT NULL UNIQUE);
CREATE TABLE links (
  link TEXT NOT NULL,
  link_set INTEGER NOT NULL REFERENCES link_sets ON DELETE CASCADE,
  PRIMARY KEY (link, link_set)
) WITHOUT ROWID;
CREATE INDEX links_by_set ON links (link_set);
CREATE TABLE verified (path TEXT PRIMARY KEY, digest TEXT NOT NULL, link_set INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX verified_by_links ON verified (link_set);
CREATE TRIGGER verified_dropped AFTER DELETE ON verified BEGIN
  DELETE FROM link_sets WHERE id = old.link_set AND NOT EXISTS (SELECT 1 FROM verified WHERE link_set = old.link_set);
END;
`,
}

const KEEP_SET = 'INSERT INTO link_sets (links) VALUES (?) ON CONFLICT DO NOTHING'
const REFERRING = `
SELECT path FROM links JOIN verified INDEXED BY verified_by_links USING (link_set) WHERE link = ?`

export function openPublishedState(file: string, live: LiveFile): PublishedState {
  const database = openDatabase(file, SCHEMA)
  database.exec('PRAGMA foreign_keys = ON')
  const find = database.prepare('SELECT digest FROM verified WHERE path = ?')
  const drop = database.prepare('DELETE FROM verified WHERE path = ?')
  const put = database.prepare('INSERT INTO verified VALUES (?, ?, ?)')
  const referring = database.prepare(REFERRING)
  const keepLinks = createLinkKeeper(database)
  return {
    findDigest: (path) => toText(find.get(path)?.['digest']),
    *readPaths() {
      for (const row of database.prepare('SELECT path FROM verified ORDER BY path').iterate())
        yield String(row['path'])
    },
    keep: (path, digest, links) => {
      drop.run(path)
      put.run(path, digest, keepLinks(links))
    },
    drop: (path) => void drop.run(path),
    *findReferring(link) {
      for (const row of referring.iterate(link)) yield String(row['path'])
    },
    begin: () => {
      if (!database.isTransaction) database.exec('BEGIN IMMEDIATE')
    },
    readLive: live.readLive,
    writeLive: (next) => {
      if (database.isTransaction) database.exec('COMMIT')
      live.writeLive(next)
    },
    close: () => database.close(),
  }
}

/** Returns a function that stores a set of links, if it is new, and returns the id of the set. */
function createLinkKeeper(database: DatabaseSync): (links: readonly string[]) => number {
  const keepSet = database.prepare(KEEP_SET)
  const findSet = database.prepare('SELECT id FROM link_sets WHERE links = ?')
  const keepLink = database.prepare('INSERT INTO links VALUES (?, ?) ON CONFLICT DO NOTHING')
  return (links) => {
    const unique = [...new Set(links)].sort()
    const text = JSON.stringify(unique)
    const isNew = keepSet.run(text).changes > 0
    const id = Number(findSet.get(text)?.['id'])
    if (isNew) for (const link of unique) keepLink.run(link, id)
    return id
  }
}
