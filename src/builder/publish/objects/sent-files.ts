/** The list of files that a site's store is known to have. If the list is lost, the store is asked again. */
import { isDamage } from '../../result-codes.ts'
import type { Schema } from '../../state/sqlite/open-database.ts'
import { openDatabase, removeDatabase } from '../../state/sqlite/open-database.ts'
import { runTransaction } from '../../state/sqlite/transactions.ts'

export interface SentFiles {
  has(path: string): boolean
  add(paths: readonly string[]): void
  /** Removes all files from the list. */
  forget(): void
  close(): void
}

const SCHEMA: Schema = {
  application: 'sent',
  version: 1,
  sql: `
CREATE TABLE files (path TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;`,
}

/** Opens the list of `site`. Empties the list if it belongs to another site or is damaged. */
export function openSentFiles(file: string, site: string): SentFiles {
  let list: SentFiles | null = null
  const use = <Result>(work: (open: SentFiles) => Result): Result => {
    try {
      return work((list ??= openList(file, site)))
    } catch (error) {
      if (!isDamage(error)) throw error
      list?.close()
      removeDatabase(file)
      return work((list = openList(file, site)))
    }
  }
  return {
    has: (path) => use((open) => open.has(path)),
    add: (paths) => use((open) => open.add(paths)),
    forget: () => use((open) => open.forget()),
    close: () => list?.close(),
  }
}

function openList(file: string, site: string): SentFiles {
  const database = openDatabase(file, SCHEMA)
  const known = database.prepare("SELECT value FROM meta WHERE name = 'site'").get()?.['value']
  if (known !== site) {
    runTransaction(database, () => {
      database.exec('DELETE FROM files; DELETE FROM meta')
      database.prepare("INSERT INTO meta VALUES ('site', ?)").run(site)
    })
  }
  const find = database.prepare('SELECT 1 FROM files WHERE path = ?')
  const put = database.prepare('INSERT OR IGNORE INTO files SELECT value FROM json_each(?)')
  return {
    has: (path) => find.get(path) !== undefined,
    add: (paths) => void put.run(JSON.stringify(paths)),
    forget: () => database.exec('DELETE FROM files'),
    close: () => database.close(),
  }
}
