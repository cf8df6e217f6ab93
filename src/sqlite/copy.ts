/** A consistent copy of a SQLite file, also while another process writes to it. */
import { existsSync } from 'node:fs'
import { backup, DatabaseSync } from 'node:sqlite'
import { isDamage } from './open.ts'

/** Leaves no copy where there is no sound database. */
export async function copyDatabase(file: string, target: string): Promise<void> {
  if (!existsSync(file)) return
  // Not read-only: such a connection leaves the files of its write-ahead log behind.
  const database = new DatabaseSync(file)
  try {
    await backup(database, target)
  } catch (error) {
    if (!isDamage(error)) throw error
  } finally {
    database.close()
  }
}
