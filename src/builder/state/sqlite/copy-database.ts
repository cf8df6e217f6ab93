/** Makes a consistent copy of a SQLite file, even while another process writes to it. */
import { existsSync } from 'node:fs'
import { backup, DatabaseSync } from 'node:sqlite'
import { isBusy, isDamage } from '../../result-codes.ts'

/** Copies `file` to `target`. Makes no copy if the database is missing, damaged, or being filled for the first time. */
export async function copyDatabase(file: string, target: string): Promise<void> {
  if (!existsSync(file)) return
  // Not read-only, because a read-only connection would leave the files of the write-ahead log behind.
  const database = new DatabaseSync(file)
  try {
    // This query throws an error with SQLite's result code if the file is damaged. An error of `backup` has no code.
    database.prepare('SELECT count(*) FROM sqlite_schema').get()
    await backup(database, target)
  } catch (error) {
    if (!isDamage(error) && !isBusy(error)) throw error
  } finally {
    database.close()
  }
}
