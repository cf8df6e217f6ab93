/**
 * Loaded before the real command (`node --import`): counts the operations of the command, and kills the process or
 * throws at the n-th.
 */
import childProcess from 'node:child_process'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import sqlite from 'node:sqlite'
import { promisify } from 'node:util'
import { isMainThread } from 'node:worker_threads'
import type { InjectedFault } from './injected-fault.ts'
import { FAULT_VARIABLE } from './injected-fault.ts'

/** Codes and messages of some errors that Node throws when a file operation fails. */
const FILE_ERRORS = [
  ['ENOSPC', 'no space left on device'],
  ['EIO', 'i/o error'],
  ['EACCES', 'permission denied'],
] as const

/** Some result codes and messages of SQLite. Source: https://sqlite.org/rescode.html */
const DATABASE_ERRORS = [
  [13, 'database or disk is full'],
  [5, 'database is locked'],
  [10, 'disk I/O error'],
] as const

/** `n` selects one of `FILE_ERRORS`. */
function createFileError(method: string, path: string, n: number): Error {
  const [code, words] = FILE_ERRORS[n % FILE_ERRORS.length] ?? FILE_ERRORS[0]
  const syscall = method.replace('Sync', '')
  return Object.assign(new Error(`${code}: ${words}, ${syscall} '${path}'`), { code, syscall, path })
}

function createDatabaseError(n: number): Error {
  const [errcode, words] = DATABASE_ERRORS[n % DATABASE_ERRORS.length] ?? DATABASE_ERRORS[0]
  return Object.assign(new Error(words), { code: 'ERR_SQLITE_ERROR', errcode, errstr: words })
}

type Call = (...args: readonly unknown[]) => unknown
type Methods = Record<string, Call>

const fault = JSON.parse(process.env[FAULT_VARIABLE] ?? '{}') as InjectedFault
// The original functions, because this module's own writes must not be counted.
const { writeFileSync, cpSync } = fs
const CHANGING = ['exec', 'run']
const names: string[] = []
const databases = new WeakMap<StatementSync, DatabaseSync>()

/**
 * Counts an operation, and injects the fault if it is due. `half` writes the first half of a file, to imitate a kill
 * during the write or a full disk; for other operations, it does nothing.
 */
function count(name: string, half: () => void, createError: (n: number) => Error): void {
  names.push(name)
  const isHit = names.length === fault.at || (fault.isLasting && names.length > fault.at)
  if (!isHit) return
  if (fault.action === 'kill') return process.kill(process.pid, 'SIGKILL') as unknown as void
  half()
  if (fault.action === 'kill half-way') process.kill(process.pid, 'SIGKILL')
  throw createError(names.length)
}

function wrapFiles(): void {
  const methods = fs as unknown as Methods
  for (const name of ['writeFileSync', 'renameSync', 'rmSync', 'unlinkSync', 'mkdirSync']) {
    const method = methods[name] as Call
    methods[name] = (...args) => {
      const half = (): void => {
        if (name === 'writeFileSync') writeHalf(String(args[0]), args[1] as Uint8Array | string)
      }
      count(`${name} ${String(args[0])}`, half, (n) => createFileError(name, String(args[0]), n))
      return method(...args)
    }
  }
}

function writeHalf(path: string, bytes: Uint8Array | string): void {
  const whole = Buffer.from(bytes as Uint8Array)
  writeFileSync(path, whole.subarray(0, Math.floor(whole.length / 2)))
}

function wrapDatabases(): void {
  const open = sqlite.DatabaseSync
  const database = open.prototype as unknown as Methods
  const statement = sqlite.StatementSync.prototype as unknown as Methods
  const nothing = (): void => {}
  wrapMethod(database, 'exec', ([sql], self) => isChange(String(sql), self as DatabaseSync))
  for (const name of ['run', 'get', 'all', 'iterate']) {
    wrapMethod(statement, name, (_, self) => {
      const { sourceSQL } = self as StatementSync
      return isChange(sourceSQL, databases.get(self as StatementSync))
    })
  }
  const prepare = database['prepare'] as Call
  database['prepare'] = function (this: DatabaseSync, ...args) {
    if (fault.counts === 'calls') count(`prepare ${String(args[0])}`, nothing, createDatabaseError)
    const prepared = Reflect.apply(prepare, this, args) as StatementSync
    databases.set(prepared, this)
    return prepared
  }
  const construct = (target: typeof open, args: ConstructorParameters<typeof open>): DatabaseSync => {
    if (fault.counts === 'calls') count(`open ${String(args[0])}`, nothing, createDatabaseError)
    return new target(...args)
  }
  Object.assign(sqlite, { DatabaseSync: new Proxy(open, { construct }) })
}

function wrapMethod(
  methods: Methods,
  name: string,
  isStep: (args: readonly unknown[], self: unknown) => boolean,
): void {
  const method = methods[name] as Call
  const isEach = fault.counts === 'calls' || (fault.counts === 'changes' && CHANGING.includes(name))
  methods[name] = function (this: unknown, ...args) {
    if (isEach || isStep(args, this)) {
      const sql = args.length > 0 && name === 'exec' ? args[0] : (this as StatementSync).sourceSQL
      count(`${name} ${String(sql).trim()}`, () => {}, createDatabaseError)
    }
    return Reflect.apply(method, this, args)
  }
}

// Returns whether the statement makes a change durable. Within a transaction, only the commit does.
function isChange(sql: string, database: DatabaseSync | undefined): boolean {
  if (/\bCOMMIT\b/.test(sql)) return true
  return database?.isTransaction === false && /^\s*(INSERT|UPDATE|DELETE|CREATE)/.test(sql)
}

// Replaces the compile by a copy of its known result, because a compile takes seconds.
function wrapCompile(compiled: string): void {
  const compile = async (_: string, args: readonly string[]): Promise<{ stdout: string; stderr: string }> => {
    cpSync(compiled, args.at(-1) ?? '', { recursive: true })
    return { stdout: '', stderr: '' }
  }
  Object.assign(childProcess, { execFile: Object.assign(() => {}, { [promisify.custom]: compile }) })
}

wrapFiles()
wrapDatabases()
if (fault.compiled !== null) wrapCompile(fault.compiled)
syncBuiltinESMExports()
if (isMainThread && fault.trace !== null) {
  const { trace } = fault
  process.on('exit', () => writeFileSync(trace, names.map((name) => name.replaceAll(/\s+/g, ' ')).join('\n')))
}
