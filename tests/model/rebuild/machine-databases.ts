/** The databases of the machine: each commit is one change, and is on the disk only once SQLite has forced it there. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Choose, Host } from './machine-host.ts'

export interface DatabaseLog {
  /** Replaces Node's functions. Returns a function that restores them. */
  install(): () => void
  /** Ends all connections of the process, as its end does. */
  closeAll(): void
  cut(choose: Choose): void
  forget(): void
}

/** The bytes of a database's files, by suffix of the path; `null` if the file is missing. */
type Version = Readonly<Record<string, Uint8Array | null>>

const SUFFIXES = ['', '-wal'] as const
const FULL = 2
const CHANGES_DATA = /\b(?:COMMIT|CREATE|DROP|INSERT|REPLACE|UPDATE|DELETE|ALTER)\b/
const CHANGES_TABLES = /\b(?:CREATE|DROP|ALTER)\b/

const real = {
  exec: DatabaseSync.prototype.exec,
  prepare: DatabaseSync.prototype.prepare,
  close: DatabaseSync.prototype.close,
  run: StatementSync.prototype.run,
  get: StatementSync.prototype.get,
  all: StatementSync.prototype.all,
}

export function createDatabaseLog({ folder, change, isRunning, isDead }: Host): DatabaseLog {
  // By path: what the database may fall back to, the oldest first.
  const versions = new Map<string, readonly Version[]>()
  const connections = new Map<DatabaseSync, string>()
  const owners = new WeakMap<StatementSync, DatabaseSync>()
  const countedChanges = new WeakMap<DatabaseSync, number>()

  const isOurs = (database: DatabaseSync): boolean => {
    if (!isRunning()) return false
    if (connections.has(database)) return true
    const path = database.location()
    if (path?.startsWith(`${folder}/`) !== true) return false
    connections.set(database, path)
    return true
  }
  const hasChanged = (database: DatabaseSync): boolean => {
    const count = readNumber(database, 'SELECT total_changes()')
    const isNew = countedChanges.get(database) !== count
    countedChanges.set(database, count)
    return isNew
  }
  const commit = <T>(database: DatabaseSync, act: () => T): T =>
    change({
      act: () => {
        const path = connections.get(database) ?? ''
        const isForced = readNumber(database, 'PRAGMA synchronous') >= FULL
        if (!isForced) versions.set(path, [...(versions.get(path) ?? []), readVersion(path)])
        const result = act()
        if (isForced) versions.delete(path)
        return result
      },
      createError: () => {
        if (database.isTransaction) real.exec.call(database, 'ROLLBACK')
        return Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 })
      },
      needsSpace: true,
    })
  const callStatement = <T>(statement: StatementSync, act: () => T): T => {
    const database = owners.get(statement)
    const isCommit = database !== undefined && isRunning() && !database.isTransaction
    return isCommit && CHANGES_DATA.test(statement.sourceSQL) ? commit(database, act) : act()
  }
  const replaced = {
    exec(this: DatabaseSync, sql: string): void {
      const act = (): void => real.exec.call(this, sql)
      if (!isOurs(this) || !CHANGES_DATA.test(sql)) return act()
      if (this.isTransaction ? !/\bCOMMIT\b/.test(sql) : /^BEGIN[^;]*;?$/.test(sql.trim())) return act()
      return hasChanged(this) || CHANGES_TABLES.test(sql) || !this.isTransaction ? commit(this, act) : act()
    },
    prepare(this: DatabaseSync, ...args: Parameters<DatabaseSync['prepare']>): StatementSync {
      const statement = real.prepare.apply(this, args)
      if (isOurs(this)) owners.set(statement, this)
      return statement
    },
    close(this: DatabaseSync): void {
      const path = isOurs(this) ? connections.get(this) : undefined
      // The files stay as a killed process leaves them, with their log, until all its connections end.
      if (path !== undefined && isDead()) return
      const mayForce = path !== undefined && readNumber(this, 'PRAGMA synchronous') > 0
      real.close.call(this)
      connections.delete(this)
      // The last connection to end copies the log to the file, and forces both.
      if (mayForce && ![...connections.values()].includes(path)) versions.delete(path)
    },
    run(this: StatementSync, ...args: Parameters<StatementSync['run']>) {
      return callStatement(this, () => real.run.apply(this, args))
    },
    get(this: StatementSync, ...args: Parameters<StatementSync['get']>) {
      return callStatement(this, () => real.get.apply(this, args))
    },
    all(this: StatementSync, ...args: Parameters<StatementSync['all']>) {
      return callStatement(this, () => real.all.apply(this, args))
    },
  }
  const { run, get, all, ...ofDatabase } = replaced
  return {
    install: () => {
      Object.assign(DatabaseSync.prototype, ofDatabase)
      Object.assign(StatementSync.prototype, { run, get, all })
      return () => {
        Object.assign(DatabaseSync.prototype, { exec: real.exec, prepare: real.prepare, close: real.close })
        Object.assign(StatementSync.prototype, { run: real.run, get: real.get, all: real.all })
      }
    },
    closeAll: () => {
      const left = [...new Set(connections.values())].map((path) => [path, readVersion(path)] as const)
      for (const database of connections.keys()) if (database.isOpen) real.close.call(database)
      connections.clear()
      for (const [path, version] of left) writeVersion(path, version)
    },
    cut: (choose) => {
      for (const [path, older] of versions) {
        const version = older.toReversed()[choose(older.length + 1, false) - 1]
        if (version !== undefined) writeVersion(path, version)
      }
      versions.clear()
    },
    forget: () => versions.clear(),
  }
}

function readNumber(database: DatabaseSync, sql: string): number {
  return Number(Object.values(real.prepare.call(database, sql, {}).get() ?? {})[0])
}

function readVersion(path: string): Version {
  const read = (suffix: string): Uint8Array | null =>
    existsSync(path + suffix) ? readFileSync(path + suffix) : null
  return Object.fromEntries(SUFFIXES.map((suffix) => [suffix, read(suffix)]))
}

function writeVersion(path: string, version: Version): void {
  rmSync(`${path}-shm`, { force: true })
  for (const [suffix, bytes] of Object.entries(version)) {
    if (bytes === null) rmSync(path + suffix, { force: true })
    else writeFileSync(path + suffix, bytes)
  }
}
