/** The record's tables. */
import type { Schema } from '../sqlite/open-database.ts'

export const RECORD_SCHEMA: Schema = {
  // Another than that of the snapshot's and the picture store's tables: files that changed places are noticed.
  application: 'reco',
  version: 4,
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
  -- Of a catalogue page only.
  seller TEXT,
  -- What a page was rendered with; of a retained file, the generation that no longer has it; of an unshown one, the publish.
  generation INTEGER NOT NULL,
  -- Hash of a page's data.
  data TEXT NOT NULL,
  -- Hash of the file's bytes.
  digest TEXT NOT NULL,
  unsure INTEGER NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX files_seller ON files (seller) WHERE seller IS NOT NULL;
CREATE INDEX files_generation ON files (generation, seller) WHERE kind = 'page';
CREATE INDEX files_unsure ON files (seller) WHERE unsure = 1;
CREATE INDEX files_other ON files (kind, path) WHERE kind <> 'page';
-- Which picture files pages show.
CREATE TABLE shows (page TEXT NOT NULL, file TEXT NOT NULL, PRIMARY KEY (page, file)) WITHOUT ROWID;
CREATE INDEX shows_file ON shows (file);
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
`,
}
