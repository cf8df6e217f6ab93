/** The record's tables. */
import type { Schema } from '../sqlite/open-database.ts'

export const RECORD_SCHEMA: Schema = {
  // Differs from the ids of the snapshot and the picture store, so that swapped files are detected.
  application: 'reco',
  version: 6,
  sql: `
CREATE TABLE generations (
  id INTEGER PRIMARY KEY,
  -- JSON: a hash for each kind of page.
  code TEXT NOT NULL,
  settings TEXT NOT NULL,
  runtime TEXT NOT NULL
);
-- One row for each file in the output folder.
CREATE TABLE files (
  path TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('page', 'static', 'retained', 'picture', 'unshown')),
  -- Null unless it is a page of a seller.
  seller TEXT,
  -- page: the generation that rendered it; retained: the first one without it; unshown: number of the publish.
  generation INTEGER NOT NULL,
  -- Hash of a page's data.
  data TEXT NOT NULL,
  -- Hash of the file's bytes.
  digest TEXT NOT NULL,
  unsure INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX files_seller ON files (seller) WHERE seller IS NOT NULL;
CREATE INDEX files_generation ON files (generation, seller) WHERE kind = 'page';
CREATE INDEX files_unsure ON files (seller) WHERE unsure = 1;
CREATE INDEX files_other ON files (kind, path) WHERE kind <> 'page';
-- Which picture files pages show.
CREATE TABLE shows (page TEXT NOT NULL, file TEXT NOT NULL, PRIMARY KEY (page, file)) WITHOUT ROWID;
CREATE INDEX shows_file ON shows (file);
-- Files that were written or removed without being forced to the disk. A path without a row in files was removed.
CREATE TABLE unsynced (path TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
`,
}
