/**
 * The SQL of the embedded database: plain SQLite 3.40, so that any tool that edits the file maintains the change log.
 *
 * `documents` has no rowid, so that `OR REPLACE` can only conflict on the primary key. `seller` is a stored column, so
 * that versions of SQLite that parse unusual JSON differently cannot corrupt its index.
 */

/**
 * Identifies a database that this program created or repaired. A database restored from a dump lacks this mark, so it
 * is repaired.
 */
export const APPLICATION = 0x76697472

export const SELLER_COLUMN = `CASE
      WHEN collection = 'users' THEN id
      WHEN json_type(data, '$.owner.id') = 'text' THEN json_extract(data, '$.owner.id')
    END`

export const DOCUMENTS = `CREATE TABLE documents (
  collection TEXT NOT NULL CHECK (collection IN ('users', 'cataloge')),
  id TEXT NOT NULL CHECK (id <> ''),
  update_time TEXT DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  data TEXT NOT NULL CHECK (json_valid(data)),
  seller TEXT GENERATED ALWAYS AS (
    ${SELLER_COLUMN}
  ) STORED,
  PRIMARY KEY (collection, id)
) STRICT, WITHOUT ROWID`

/**
 * Max rows of the change log, about 60 bytes each. A snapshot that is further behind is updated by a full read, because
 * reading so many documents one by one is not faster.
 */
export const LOG_LENGTH = 50_000

// The first row has no document. Its nonce identifies the log before the first change.
const CHANGES = `CREATE TABLE changes (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  nonce TEXT NOT NULL DEFAULT (lower(hex(randomblob(8)))),
  collection TEXT,
  id TEXT,
  seller TEXT,
  -- 1 for the last row of a change of one document, so that no transaction has none.
  ends INTEGER NOT NULL DEFAULT 1
) STRICT`

const DOCUMENTS_BY_SELLER = 'CREATE INDEX documents_by_seller ON documents (seller)'

export const MARK_BEGINNING = 'INSERT INTO changes DEFAULT VALUES'

/**
 * The change log, the index and the triggers. If one of them is missing or differs from its SQL here, a repair creates
 * all of them again.
 */
export const DERIVED = [
  { type: 'table', name: 'changes', sql: CHANGES },
  { type: 'index', name: 'documents_by_seller', sql: DOCUMENTS_BY_SELLER },
  // OR REPLACE fires no delete trigger, so the replaced row is logged before the insert.
  createTrigger('log_replaced', 'BEFORE INSERT', 'NEW'),
  createTrigger('log_inserted', 'AFTER INSERT', 'NEW'),
  createTrigger('log_changed', 'BEFORE UPDATE OF collection, id, data', 'OLD', 0),
  createTrigger('log_displaced', 'BEFORE UPDATE OF collection, id', 'NEW', 0),
  createTrigger('log_updated', 'AFTER UPDATE', 'NEW'),
  createTrigger('log_deleted', 'BEFORE DELETE', 'OLD'),
  {
    type: 'trigger',
    name: 'set_time',
    // Keeps a time that the writer has changed.
    sql: `CREATE TRIGGER set_time AFTER UPDATE OF data ON documents
WHEN NEW.data IS NOT OLD.data AND NEW.update_time IS OLD.update_time BEGIN
  UPDATE documents SET update_time = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
  WHERE collection = NEW.collection AND id = NEW.id;
  UPDATE changes SET ends = 0 WHERE sequence = (SELECT max(sequence) FROM changes);
END`,
  },
  {
    type: 'trigger',
    name: 'trim_log',
    sql: `CREATE TRIGGER trim_log AFTER INSERT ON changes BEGIN
  DELETE FROM changes WHERE sequence <= NEW.sequence - ${LOG_LENGTH};
END`,
  },
] as const

// Creates a trigger that logs the row with the key of `OLD` or `NEW`: a profile once, a product once for each owner id
// in its JSON. If a JSON object contains a key twice, SQL reads the first value and JavaScript the last. A product
// without an owner is logged with a null seller.
function createTrigger(name: string, moment: string, key: 'OLD' | 'NEW', ends = 1) {
  const row = `FROM documents WHERE collection = ${key}.collection AND id = ${key}.id`
  const sql = `CREATE TRIGGER ${name} ${moment} ON documents BEGIN
  INSERT INTO changes (collection, id, seller, ends)
  SELECT collection, id, seller, ${ends} ${row}
  UNION
  SELECT stored.collection, stored.id, id.atom, ${ends}
  FROM (SELECT collection, id, CASE WHEN json_valid(data) THEN data ELSE 'null' END AS data ${row}) AS stored,
    json_tree(stored.data) AS owner, json_tree(stored.data) AS id
  WHERE stored.collection = 'cataloge' AND owner.path = '$' AND owner.key = 'owner'
    AND id.parent = owner.id AND id.key = 'id' AND id.type = 'text';
END`
  return { type: 'trigger', name, sql } as const
}
