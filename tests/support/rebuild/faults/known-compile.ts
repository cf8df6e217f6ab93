/** Loaded before the real command (`node --import`): replaces a compile by a copy of its known result. */
import childProcess from 'node:child_process'
import { cpSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { promisify } from 'node:util'

const folder = process.env['VITRINA_TEST_COMPILED'] ?? ''

async function compile(_: string, args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  cpSync(folder, args.at(-1) ?? '', { recursive: true })
  return { stdout: '', stderr: '' }
}

Object.assign(childProcess, { execFile: Object.assign(() => {}, { [promisify.custom]: compile }) })
syncBuiltinESMExports()
