/** The SQL of the embedded database: plain SQLite 3.40, so that any tool that edits the file keeps its log of changes. */
import type { DatabaseSync } from 'node:sqlite'

// `seller` is stored, so that versions of SQLite that parse unusual JSON differently cannot corrupt its index.
export const DOCUMENTS = `CREATE TABLE documents (
  collection TEXT NOT NULL CHECK (collection IN ('users', 'cataloge')),
  id TEXT NOT NULL CHECK (id <> ''),
  update_time TEXT DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  data TEXT NOT NULL CHECK (json_valid(data)),
  seller TEXT GENERATED ALWAYS AS (
    CASE
      WHEN collection = 'users' THEN id
      WHEN json_type(data, '$.owner.id') = 'text' THEN json_extract(data, '$.owner.id')
    END
  ) STORED,
  PRIMARY KEY (collection, id)
) STRICT, WITHOUT ROWID`

/** Max rows of the log. A state that is further behind reads the whole source. */
const LOG_LENGTH = 50_000

// The random nonce tells a row from the row of the same number in another copy of the file.
const CHANGES = `CREATE TABLE IF NOT EXISTS changes (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  nonce TEXT NOT NULL DEFAULT (lower(hex(randomblob(8)))),
  seller TEXT
) STRICT;
CREATE INDEX IF NOT EXISTS documents_by_seller ON documents (seller)`

const REPLACED =
  'INSERT INTO changes (seller) SELECT seller FROM documents WHERE collection = NEW.collection AND id = NEW.id;'

// A change is logged for the old and the new seller. OR REPLACE fires no delete trigger, so the seller of a row that is
// about to be replaced is logged before.
const TRIGGERS = {
  log_replaced: `BEFORE INSERT ON documents BEGIN ${REPLACED} END`,
  log_inserted: 'AFTER INSERT ON documents BEGIN INSERT INTO changes (seller) VALUES (NEW.seller); END',
  log_displaced: `BEFORE UPDATE OF collection, id ON documents BEGIN ${REPLACED} END`,
  log_updated: `AFTER UPDATE ON documents BEGIN
  INSERT INTO changes (seller) SELECT OLD.seller UNION SELECT NEW.seller; END`,
  log_deleted: 'AFTER DELETE ON documents BEGIN INSERT INTO changes (seller) VALUES (OLD.seller); END',
  // Keeps a time that the writer has changed.
  set_time: `AFTER UPDATE OF data ON documents
WHEN NEW.data IS NOT OLD.data AND NEW.update_time IS OLD.update_time BEGIN
  UPDATE documents SET update_time = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
  WHERE collection = NEW.collection AND id = NEW.id; END`,
  trim_log: `AFTER INSERT ON changes BEGIN
  DELETE FROM changes WHERE sequence <= NEW.sequence - ${LOG_LENGTH}; END`,
} as const

/**
 * Marks the files that this program made. A database made anew from its dump, which may have been edited, lacks the
 * mark.
 */
const APPLICATION = 0x76697472

/** Returns true if the file has the mark and the triggers, and the log has a row. Reads only. */
export function hasLog(database: DatabaseSync): boolean {
  const rows = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all()
  const names = new Set(rows.map(({ name }) => name))
  if (!Object.keys(TRIGGERS).every((name) => names.has(name))) return false
  if (database.prepare('PRAGMA application_id').get()?.['application_id'] !== APPLICATION) return false
  return database.prepare('SELECT 1 FROM changes LIMIT 1').get() !== undefined
}

/**
 * Creates the log, its triggers and the index of sellers if `hasLog` is false. No earlier cursor is found in the log
 * then, because changes made before may not have been logged.
 */
export function createLog(database: DatabaseSync): void {
  if (hasLog(database)) return
  database.exec(`${CHANGES}; DROP TRIGGER IF EXISTS log_changed`)
  for (const [name, sql] of Object.entries(TRIGGERS))
    database.exec(`DROP TRIGGER IF EXISTS ${name}; CREATE TRIGGER ${name} ${sql}`)
  database.exec(`DELETE FROM changes; INSERT INTO changes DEFAULT VALUES;
    PRAGMA application_id = ${APPLICATION}`)
}
