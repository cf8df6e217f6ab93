/** Reads and writes what is known of the output folder to survive a power cut. */
import type { DatabaseSync } from 'node:sqlite'
import { runTransaction } from '../sqlite/transactions.ts'
import type { Durability, RecordDurability } from './record.ts'
import { readValue, writeValue } from './record-meta.ts'

export function createRecordDurability(database: DatabaseSync): RecordDurability {
  return {
    readDurability: () => readValue<Durability>(database, 'durability'),
    readUnsynced: () =>
      database
        .prepare('SELECT path FROM unsynced ORDER BY path')
        .all()
        .map((row) => String(row['path'])),
    writeDurability: (durability, { forget = [], add = [] } = {}) => {
      // One transaction: the pragma syncs this commit and all before it.
      database.exec('PRAGMA synchronous = FULL')
      try {
        runTransaction(database, () => {
          writeValue(database, 'durability', durability)
          if (forget === 'all') database.exec('DELETE FROM unsynced')
          else runEach(database, 'DELETE FROM unsynced WHERE path = ?', forget)
          runEach(database, 'INSERT OR IGNORE INTO unsynced VALUES (?)', add)
        })
      } finally {
        database.exec('PRAGMA synchronous = NORMAL')
      }
    },
  }
}

function runEach(database: DatabaseSync, sql: string, paths: readonly string[]): void {
  const statement = database.prepare(sql)
  for (const path of paths) statement.run(path)
}
