/** The table of changes. An answered one keeps its name and the sequence of its last notice. */

export const CHANGE_TABLES = [
  `CREATE TABLE IF NOT EXISTS changes (
    name TEXT PRIMARY KEY, noticed INTEGER NOT NULL, phase TEXT, at INTEGER, first INTEGER, silent INTEGER, setback TEXT,
    value TEXT) STRICT, WITHOUT ROWID`,
  // The status reads all that wait from the index alone.
  `CREATE INDEX IF NOT EXISTS changes_by_phase ON changes (phase, at, first, silent) WHERE phase IS NOT NULL`,
  `CREATE INDEX IF NOT EXISTS changes_set_back ON changes (setback, name) WHERE setback IS NOT NULL`,
  `CREATE TABLE IF NOT EXISTS change_standing (only INTEGER PRIMARY KEY CHECK (only = 1), value TEXT NOT NULL) STRICT`,
] as const
