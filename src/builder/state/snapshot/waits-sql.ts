/** The SQL tables of pending changes, and the SQL statements that change them: see waits.ts. */

export const WAITS_SCHEMA = `
-- Sellers whose newest data the pages may not show. The empty seller: all pages are to be compared.
CREATE TABLE waits (
  seller TEXT PRIMARY KEY,
  -- Milliseconds since 1970.
  since INTEGER NOT NULL,
  -- Failures in a row, and why the last one failed.
  tries INTEGER NOT NULL,
  reason TEXT NOT NULL
) WITHOUT ROWID;
-- Sellers whose entries a read changes. Empty after each read.
CREATE TABLE touched (seller TEXT PRIMARY KEY) WITHOUT ROWID;
`

const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)"
const NEW = `${NOW}, 0, ''`
/** An existing row keeps the time at which it was added and its number of failures. */
const ADD = 'INSERT OR IGNORE INTO waits SELECT'
const HAS_PAGES = "EXISTS (SELECT 1 FROM meta WHERE name = 'pages')"

export const REGISTER = "INSERT OR IGNORE INTO meta VALUES ('pages', '')"
export const COMPARE = `${ADD} '', ${NEW}`
/** Makes a comparison of all pages due. Runs in the transaction of a first read. */
export const COMPARE_FIRST = `${ADD} '', ${NEW} WHERE ${HAS_PAGES};`

export const ADD_WAITS = `${ADD} value, ${NEW} FROM json_each(?) WHERE ${HAS_PAGES}`
/**
 * Makes all sellers in the table `touched` wait, and empties the table. Must run in the transaction that filled the
 * table.
 */
export const ADD_TOUCHED = `${ADD} seller, ${NEW} FROM touched WHERE ${HAS_PAGES}; DELETE FROM touched;`

export const SETTLE = 'DELETE FROM waits WHERE seller IN (SELECT value FROM json_each(?))'

export const POSTPONE = `
INSERT INTO waits
  SELECT value ->> 'seller', ${NOW}, 1, value ->> 'reason' FROM json_each(?) WHERE true
ON CONFLICT DO UPDATE SET tries = tries + 1, reason = excluded.reason`

export const LIST = "SELECT seller FROM waits WHERE seller <> '' ORDER BY tries > 0, seller"
export const LIST_FAILED = 'SELECT * FROM waits WHERE tries > 0 ORDER BY seller'
export const FIND_COMPARISON = "SELECT 1 FROM waits WHERE seller = ''"
