/** The tables of the picture store. */
import type { Schema } from '../../state/sqlite/open-database.ts'

/** Index from a photo to the sellers who show it. */
export const USES_INDEX = 'CREATE INDEX uses_address ON uses (address);'

export const PICTURE_SCHEMA: Schema = {
  // Each state file has its own application id.
  version: 5,
  sql: `
CREATE TABLE photos (
  address TEXT PRIMARY KEY,
  -- When it may be tried, or looked at again. Milliseconds since 1970.
  due INTEGER NOT NULL,
  -- Failures in a row, and why the last one.
  tries INTEGER NOT NULL,
  reason TEXT,
  -- It once took longer than a rebuild waits: left to those who have time.
  slow INTEGER NOT NULL,
  -- The picture, once there is one; it stays when a later try fails.
  picture TEXT,
  -- What it was made from, and how.
  source TEXT NOT NULL,
  recipe TEXT NOT NULL,
  etag TEXT,
  modified TEXT,
  -- The picture for links to the photo's products.
  preview TEXT,
  -- The recipe with which a preview was last tried; empty if none was tried for the present picture. A photo that is
  -- unfit for a preview has a recipe but no preview.
  preview_recipe TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;
CREATE INDEX photos_due ON photos (due);

-- Pictures for shared links.
CREATE TABLE socials (
  seller TEXT PRIMARY KEY,
  path TEXT NOT NULL,
  -- Hash of all that it shows.
  inputs TEXT NOT NULL
) WITHOUT ROWID;

-- In the database, so that whatever it names is there: no file of its own can get lost.
CREATE TABLE files (path TEXT PRIMARY KEY, bytes BLOB NOT NULL);

-- Which pages show which photos.
CREATE TABLE uses (seller TEXT NOT NULL, address TEXT NOT NULL, PRIMARY KEY (seller, address)) WITHOUT ROWID;
${USES_INDEX}

-- Sellers whose pictures changed since their page was last looked at.
CREATE TABLE news (seller TEXT PRIMARY KEY, sequence INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO meta VALUES ('identity', lower(hex(randomblob(8)))), ('sequence', '0');
`,
}
