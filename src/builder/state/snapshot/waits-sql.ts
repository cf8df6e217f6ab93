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
  -- Failures in a row, when to try again, and why the last one failed.
  tries INTEGER NOT NULL,
  next INTEGER NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (view, seller)
) WITHOUT ROWID;
-- Sellers whose entries a read changes. Empty after each read.
CREATE TABLE touched (seller TEXT PRIMARY KEY) WITHOUT ROWID;
`

const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)"
const RUN = "(SELECT value + 0 FROM meta WHERE name = 'run')"
const NEW = `${RUN}, ${NOW}, 0, 0, ''`
/**
 * An existing row gets the new run and is due at once. It keeps the time at which it was added and its number of
 * failures.
 */
const AGAIN = 'ON CONFLICT DO UPDATE SET run = excluded.run, next = 0'
const FIRST = "view IN ('files', 'store')"

export const BEGIN_RUN = "UPDATE meta SET value = value + 1 WHERE name = 'run'"
export const DROP_OTHERS = ['waits', 'views'].map((table) => `DELETE FROM ${table} WHERE view NOT IN (?, ?)`)
export const REGISTER_NEW = "INSERT OR IGNORE INTO views VALUES (?, '')"
export const REGISTER = `
INSERT INTO views VALUES (?, ?) ON CONFLICT DO UPDATE SET basis = excluded.basis WHERE basis <> excluded.basis`

export const COMPARE = `INSERT INTO waits VALUES (?, '', ${NEW}) ${AGAIN}`
/** Makes a comparison of the view `files` or `store` due. Runs in the transaction of a first read. */
export const COMPARE_FIRST = `INSERT INTO waits SELECT view, '', ${NEW} FROM views WHERE ${FIRST} ${AGAIN};`
/**
 * Makes a comparison of `index` due if the site has the views `index` and `files`. Sites without `files` do not feed
 * the index from the snapshot.
 */
export const COMPARE_INDEX = `
INSERT INTO waits SELECT 'index', '', ${NEW} FROM views
WHERE view = 'index' AND EXISTS (SELECT 1 FROM views WHERE view = 'files') ${AGAIN}`

const ADD_FROM = (sellers: string): string =>
  `INSERT INTO waits SELECT view, ${sellers} WHERE ${FIRST} ${AGAIN}`
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
INSERT OR IGNORE INTO waits SELECT 'index', value, ?, ${NOW}, 0, 0, '' FROM json_each(?)`
export const SETTLE = 'DELETE FROM waits WHERE view = ? AND seller IN (SELECT value FROM json_each(?))'

/** Max delay until the next try, in milliseconds. */
const LONGEST_DELAY = 600_000

/**
 * Milliseconds until the next try: one second after the first failure, doubled after each further one, up to ten
 * minutes.
 */
const DELAY = (tries: string): string => `min(1000 << min(${tries}, 20), ${LONGEST_DELAY})`
export const POSTPONE = `
INSERT INTO waits
  SELECT ?, value ->> 'seller', ${RUN}, ${NOW}, 1, ${NOW} + ${DELAY('0')}, value ->> 'reason' FROM json_each(?) WHERE true
ON CONFLICT DO UPDATE SET tries = tries + 1, next = ${NOW} + ${DELAY('tries')}, reason = excluded.reason`

/**
 * A row is due if its time has come. A row with a time beyond the longest delay is due too: the clock was ahead when
 * the time was set.
 */
const IS_DUE = `(next <= ${NOW} OR next > ${NOW} + ${LONGEST_DELAY})`

export const LIST = `
SELECT seller FROM waits WHERE view = :view AND seller <> '' AND run <= :upTo AND (${IS_DUE} OR :due = 0)
AND (view <> 'index' OR seller NOT IN (SELECT seller FROM waits WHERE view = 'files')) ORDER BY tries > 0, seller`
export const READ = 'SELECT * FROM waits WHERE view = ?'
