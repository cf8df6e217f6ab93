/** The SQL tables of pending changes, and the SQL statements that change them: see waits.ts. */

export const WAITS_SCHEMA = `
-- The registered views. A view whose basis changed is compared as a whole.
CREATE TABLE views (view TEXT PRIMARY KEY, basis TEXT NOT NULL) WITHOUT ROWID;
-- Sellers whose newest data a view may not show. The empty seller: the view is to be compared.
CREATE TABLE waits (
  view TEXT NOT NULL,
  seller TEXT NOT NULL,
  -- The last run that found the seller changed.
  run INTEGER NOT NULL,
  -- Milliseconds since 1970.
  since INTEGER NOT NULL,
  -- Failures in a row, and why the last one failed.
  tries INTEGER NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (view, seller)
) WITHOUT ROWID;
-- Sellers whose entries a read changes. Empty after each read.
CREATE TABLE touched (seller TEXT PRIMARY KEY) WITHOUT ROWID;
`

const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)"
const RUN = "(SELECT value + 0 FROM meta WHERE name = 'run')"
const NEW = `${RUN}, ${NOW}, 0, ''`
/** An existing row gets the new run. It keeps the time at which it was added and its number of failures. */
const AGAIN = 'ON CONFLICT DO UPDATE SET run = excluded.run'
const FILES = "view = 'files'"

export const BEGIN_RUN = "UPDATE meta SET value = value + 1 WHERE name = 'run'"
export const DROP_INDEX = "DELETE FROM waits WHERE view = 'index'; DELETE FROM views WHERE view = 'index';"
export const REGISTER_NEW = "INSERT OR IGNORE INTO views VALUES ('files', '')"
export const REGISTER = `
INSERT INTO views VALUES (?, ?) ON CONFLICT DO UPDATE SET basis = excluded.basis WHERE basis <> excluded.basis`

export const COMPARE = `INSERT INTO waits VALUES (?, '', ${NEW}) ${AGAIN}`
/** Makes a comparison of the view `files` due. Runs in the transaction of a first read. */
export const COMPARE_FILES = `INSERT INTO waits SELECT view, '', ${NEW} FROM views WHERE ${FILES} ${AGAIN};`
/** Makes a comparison of `index` due if the site has that view. */
export const COMPARE_INDEX = `
INSERT INTO waits SELECT 'index', '', ${NEW} FROM views WHERE view = 'index' ${AGAIN}`

const ADD_FROM = (sellers: string): string =>
  `INSERT INTO waits SELECT view, ${sellers} WHERE ${FILES} ${AGAIN}`
export const ADD_WAITS = ADD_FROM(`value, ${NEW} FROM views JOIN json_each(?)`)
/**
 * Makes all sellers in the table `touched` wait, and empties the table. Must run in the transaction that filled the
 * table.
 */
export const ADD_TOUCHED = `${ADD_FROM(`seller, ${NEW} FROM views JOIN touched`)}; DELETE FROM touched;`

export const ADD_TO_NEXT = `
INSERT INTO waits SELECT views.view, seller, ${NEW} FROM waits JOIN views ON views.view = 'index'
WHERE ? = 'files' AND waits.view = 'files' AND seller IN (SELECT value FROM json_each(?)) ${AGAIN}`
export const ADD_TO_INDEX = `
INSERT OR IGNORE INTO waits SELECT 'index', value, ?, ${NOW}, 0, '' FROM json_each(?)`
export const SETTLE = 'DELETE FROM waits WHERE view = ? AND seller IN (SELECT value FROM json_each(?))'

export const POSTPONE = `
INSERT INTO waits
  SELECT ?, value ->> 'seller', ${RUN}, ${NOW}, 1, value ->> 'reason' FROM json_each(?) WHERE true
ON CONFLICT DO UPDATE SET tries = tries + 1, reason = excluded.reason`

export const LIST = `
SELECT seller FROM waits WHERE view = :view AND seller <> '' AND run <= :upTo
AND (view <> 'index' OR seller NOT IN (SELECT seller FROM waits WHERE view = 'files')) ORDER BY tries > 0, seller`
export const READ = 'SELECT * FROM waits WHERE view = ?'
