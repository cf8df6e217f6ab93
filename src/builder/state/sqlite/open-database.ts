/** Opens a SQLite file whose content can be recreated: replaces a damaged or outdated file with an empty database. */
import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isDamage } from './result-codes.ts'

export interface Schema {
  /** Four letters that identify the kind of database, stored as SQLite's application id. */
  readonly application: string
  /** Above 0. Increase it whenever the tables change. */
  readonly version: number
  readonly sql: string
}

const SETTINGS = 'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 5000'

export function openDatabase(file: string, schema: Schema): DatabaseSync {
  return openCurrent(file, schema) ?? createDatabase(file, schema)
}

function openCurrent(file: string, schema: Schema): DatabaseSync | null {
  const database = new DatabaseSync(file)
  try {
    if (isOurs(database, schema)) {
      database.exec(SETTINGS)
      return database
    }
  } catch (error) {
    if (!isDamage(error)) throw error
  }
  database.close()
  return null
}

function isOurs(database: DatabaseSync, { application, version }: Schema): boolean {
  return (
    database.prepare('PRAGMA user_version').get()?.['user_version'] === version &&
    database.prepare('PRAGMA application_id').get()?.['application_id'] === toNumber(application)
  )
}

function toNumber(application: string): number {
  return Buffer.from(application, 'latin1').readInt32BE()
}

function createDatabase(file: string, schema: Schema): DatabaseSync {
  removeDatabase(file)
  const database = new DatabaseSync(file)
  database.exec(SETTINGS)
  const marks = `PRAGMA application_id = ${toNumber(schema.application)}; PRAGMA user_version = ${schema.version}`
  database.exec(`BEGIN; ${schema.sql} ${marks}; COMMIT`)
  return database
}

export function removeDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true })
}
