/** A consistent copy of a SQLite file, also while another process writes to it. */
import { existsSync } from 'node:fs'
import { backup, DatabaseSync } from 'node:sqlite'
import { isBusy, isDamage } from './result-codes.ts'

/** Leaves no copy where there is no sound database, or only one that is being filled for the first time. */
export async function copyDatabase(file: string, target: string): Promise<void> {
  if (!existsSync(file)) return
  // Not read-only: such a connection leaves the files of its write-ahead log behind.
  const database = new DatabaseSync(file)
  try {
    // Says what is wrong, which a backup does not.
    database.prepare('SELECT count(*) FROM sqlite_schema').get()
    await backup(database, target)
  } catch (error) {
    if (!isDamage(error) && !isBusy(error)) throw error
  } finally {
    database.close()
  }
}
