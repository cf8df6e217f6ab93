/**
 * Loaded before the real command (`node --import`): refuses all changes of files and databases from one on, or replaces
 * a compile by a copy of its known result.
 */
import childProcess from 'node:child_process'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import sqlite from 'node:sqlite'
import { promisify } from 'node:util'

type Call = (this: unknown, ...args: readonly unknown[]) => unknown
type Methods = Record<string, Call>

/** Number of the first change that fails, from 1. Every later change fails, too. */
const failingFrom = Number(process.env['VITRINA_TEST_FAILING_FROM'] ?? Infinity)
/** Folder that is copied instead of compiling. */
const compiled = process.env['VITRINA_TEST_COMPILED']
const { cpSync } = fs

let changes = 0

function count(error: Error): void {
  changes += 1
  if (changes >= failingFrom) throw error
}

function wrapFiles(): void {
  const methods = fs as unknown as Methods
  for (const name of ['writeFileSync', 'renameSync', 'rmSync', 'unlinkSync', 'mkdirSync']) {
    const method = methods[name] as Call
    methods[name] = function (...args) {
      const error = new Error(`ENOSPC: no space left on device, ${name} '${String(args[0])}'`)
      count(Object.assign(error, { code: 'ENOSPC', path: args[0] }))
      return Reflect.apply(method, this, args)
    }
  }
}

function wrapDatabases(): void {
  const wrap = (methods: Methods, name: string, isChange: (self: unknown, sql: string) => boolean): void => {
    const method = methods[name] as Call
    methods[name] = function (...args) {
      const error = new Error('database or disk is full')
      const sql = name === 'exec' ? String(args[0]) : (this as StatementSync).sourceSQL
      if (isChange(this, sql)) count(Object.assign(error, { code: 'ERR_SQLITE_ERROR', errcode: 13 }))
      return Reflect.apply(method, this, args)
    }
  }
  // Within a transaction, only its commit makes a change durable.
  wrap(sqlite.DatabaseSync.prototype as unknown as Methods, 'exec', (self, sql) => {
    if (/\bCOMMIT\b/.test(sql)) return true
    return !(self as DatabaseSync).isTransaction && /^\s*(INSERT|UPDATE|DELETE|CREATE)/.test(sql)
  })
  wrap(sqlite.StatementSync.prototype as unknown as Methods, 'run', (_, sql) => /\bCOMMIT\b/.test(sql))
}

function wrapCompile(folder: string): void {
  const compile = async (_: string, args: readonly string[]): Promise<{ stdout: string; stderr: string }> => {
    cpSync(folder, args.at(-1) ?? '', { recursive: true })
    return { stdout: '', stderr: '' }
  }
  Object.assign(childProcess, { execFile: Object.assign(() => {}, { [promisify.custom]: compile }) })
}

if (failingFrom < Infinity) {
  wrapFiles()
  wrapDatabases()
}
if (compiled !== undefined) wrapCompile(compiled)
syncBuiltinESMExports()
