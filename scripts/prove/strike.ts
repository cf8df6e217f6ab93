/** Loaded before the real command (`node --import`): counts what it changes, and strikes at the n-th: death, or an error. */
import childProcess from 'node:child_process'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import sqlite from 'node:sqlite'
import { promisify } from 'node:util'
import { isMainThread } from 'node:worker_threads'
import { createFileError, createDatabaseError } from './strike-errors.ts'
import type { Strike } from './strike-plan.ts'
import { STRIKE } from './strike-plan.ts'

type Call = (...args: readonly unknown[]) => unknown
type Methods = Record<string, Call>

const strike = JSON.parse(process.env[STRIKE] ?? '{}') as Strike
// The real ones: what is written here is not counted.
const { writeFileSync, cpSync } = fs
const CHANGING = ['exec', 'run']
const names: string[] = []
const databases = new WeakMap<StatementSync, DatabaseSync>()

/** Counts an operation. `half` does a part of it, as a death or a full disk does. */
function count(name: string, half: () => void, createError: (n: number) => Error): void {
  names.push(name)
  const isHit = names.length === strike.at || (strike.isLasting && names.length > strike.at)
  if (!isHit) return
  if (strike.action === 'kill') return process.kill(process.pid, 'SIGKILL') as unknown as void
  half()
  if (strike.action === 'kill half-way') process.kill(process.pid, 'SIGKILL')
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
    if (strike.counts === 'calls') count(`prepare ${String(args[0])}`, nothing, createDatabaseError)
    const prepared = Reflect.apply(prepare, this, args) as StatementSync
    databases.set(prepared, this)
    return prepared
  }
  const construct = (target: typeof open, args: ConstructorParameters<typeof open>): DatabaseSync => {
    if (strike.counts === 'calls') count(`open ${String(args[0])}`, nothing, createDatabaseError)
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
  const isEach = strike.counts === 'calls' || (strike.counts === 'changes' && CHANGING.includes(name))
  methods[name] = function (this: unknown, ...args) {
    if (isEach || isStep(args, this)) {
      const sql = args.length > 0 && name === 'exec' ? args[0] : (this as StatementSync).sourceSQL
      count(`${name} ${String(sql).trim()}`, () => {}, createDatabaseError)
    }
    return Reflect.apply(method, this, args)
  }
}

// What is written within a transaction comes with its end.
function isChange(sql: string, database: DatabaseSync | undefined): boolean {
  if (/\bCOMMIT\b/.test(sql)) return true
  return database?.isTransaction === false && /^\s*(INSERT|UPDATE|DELETE|CREATE)/.test(sql)
}

// The compile itself takes seconds; what is done with it is the same.
function wrapCompile(compiled: string): void {
  const compile = async (_: string, args: readonly string[]): Promise<{ stdout: string; stderr: string }> => {
    cpSync(compiled, args.at(-1) ?? '', { recursive: true })
    return { stdout: '', stderr: '' }
  }
  Object.assign(childProcess, { execFile: Object.assign(() => {}, { [promisify.custom]: compile }) })
}

wrapFiles()
wrapDatabases()
if (strike.compiled !== null) wrapCompile(strike.compiled)
syncBuiltinESMExports()
if (isMainThread && strike.trace !== null) {
  const { trace } = strike
  process.on('exit', () => writeFileSync(trace, names.map((name) => name.replaceAll(/\s+/g, ' ')).join('\n')))
}
