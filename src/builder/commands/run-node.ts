/** Runs scripts of this project and of its packages with this Node, in the project's folder. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { ROOT } from '../state/project-folder.ts'

export const VITRINA = join(ROOT, 'scripts/vitrina.mjs')

const PACKAGES = join(ROOT, 'node_modules')
export const ASTRO = join(PACKAGES, 'astro/bin/astro.mjs')
// TypeScript 7 compiles in a third of the time that version 6 takes. Version 6 is installed, too, because Astro's check
// needs its API.
export const TSC = join(PACKAGES, 'typescript-7/bin/tsc')
export const OXLINT = join(PACKAGES, 'oxlint/bin/oxlint')
export const KNIP = join(PACKAGES, 'knip/bin/knip.js')
export const OXFMT = join(PACKAGES, 'oxfmt/bin/oxfmt')
export const PRETTIER = join(PACKAGES, 'prettier/bin/prettier.cjs')
export const VITEST = join(PACKAGES, 'vitest/vitest.mjs')

/**
 * The child process inherits the terminal, and gets SIGTERM when `end` aborts. `variables` are added to its
 * environment. Returns its exit code; `null` if a signal ended it.
 */
export async function runNode(
  args: readonly string[],
  end?: AbortSignal,
  variables: Readonly<Record<string, string>> = {},
): Promise<number | null> {
  const env = { ...process.env, ...variables }
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env })
  const stop = (): void => void child.kill()
  end?.addEventListener('abort', stop)
  const [code] = await once(child, 'exit')
  end?.removeEventListener('abort', stop)
  return code
}

interface CapturedRun {
  readonly code: number | null
  /** stdout, then stderr. */
  readonly output: string
}

export async function captureNode(
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<CapturedRun> {
  const env = { ...process.env, ...variables }
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], env })
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'exit'),
    text(child.stdout),
    text(child.stderr),
  ])
  return { code, output: stdout + stderr }
}
