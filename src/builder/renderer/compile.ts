/** Compiles the site's code in a separate process, and stores the renderer under the hash of the code. */
import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readMessage } from '../../domain/documents/errors.ts'
import { acquireLock } from '../state/locks.ts'
import type { KeptRenderer } from './renderer-store.ts'
import { COMPILING, findRenderer, keepRenderer } from './renderer-store.ts'

/** Compiling the renderer failed. Pages stay as they are. */
export class CompileError extends Error {
  override readonly name = 'CompileError'
}

const PATIENCE = 120_000

/**
 * Compiles, unless the renderer of this code is stored: another process may have just stored it. `readCode` is
 * called at the end and returns the hash of the code then. Rejects with a `CompileError` if it is no longer `code`, if
 * the compile fails, or if another process compiles for too long.
 */
export async function compileRenderer(
  { root, store, code }: { root: string; store: string; code: string },
  readCode: () => string,
): Promise<KeptRenderer> {
  const lock = acquireLock(join(store, 'compile.lock'), { wait: PATIENCE })
  if (lock === null)
    throw new CompileError('Another process has been compiling for two minutes. Run again later.')
  try {
    const found = findRenderer(store, code)
    if (found !== null) return found
    // The folder has the id of this process in its name, because the compiler of a killed process may still be writing
    // to its own folder.
    const compiled = join(store, `${COMPILING}${process.pid}`)
    try {
      await runAstro(root, compiled)
      if (readCode() !== code) throw new CompileError('The code changed during the compile. Run again.')
      keepRenderer(store, code, compiled)
    } finally {
      rmSync(compiled, { recursive: true, force: true })
    }
    const kept = findRenderer(store, code)
    if (kept === null) throw new CompileError('The compiled renderer is incomplete. Run again.')
    return kept
  } finally {
    lock.release()
  }
}

async function runAstro(root: string, compiled: string): Promise<void> {
  const astro = join(root, 'node_modules/astro/bin/astro.mjs')
  // Astro otherwise colours its messages if `CI` is set. Node warns if both colour variables are set.
  const { FORCE_COLOR: _, ...inherited } = process.env
  const fixed = { ASTRO_TELEMETRY_DISABLED: '1', NODE_ENV: 'production', NO_COLOR: '1' }
  const env = { ...inherited, ...fixed }
  const options = { cwd: root, env, maxBuffer: 64 * 1024 * 1024 }
  try {
    await promisify(execFile)(process.execPath, [astro, 'build', '--outDir', compiled], options)
  } catch (error) {
    throw new CompileError(explainFailure(error), { cause: error })
  }
}

interface Failure {
  readonly stderr?: string
  readonly stdout?: string
  readonly signal?: string | null
  /** The system call that failed, if the compiler could not be started. */
  readonly syscall?: string
}

function explainFailure(error: unknown): string {
  const { stderr, stdout, signal, syscall } = error as Failure
  if (syscall !== undefined) return `The compiler could not be started: ${readMessage(error)}`
  const why = signal === 'SIGKILL' ? ', which the system sends if memory runs out' : ''
  if (signal) return `The compiler was ended by ${signal}${why}. Run again.`
  // Prefers stderr: only the last 20 lines are reported, and in stdout these may be lines of progress instead of the
  // reason.
  const text = stderr?.trim() || stdout?.trim() || readMessage(error)
  // Leaves out the compiler's call stack, because it could fill the last 20 lines, too.
  const lines = text.split('\n').filter((line) => !/^\s*(at .+:\d+:\d+\)?|Stack trace:)$/.test(line))
  return `The code does not compile: ${lines.slice(-20).join('\n')}`
}
