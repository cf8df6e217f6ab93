/** Finds development tools in the installed packages, and captures the output of scripts that Node runs. */
import type { ChildProcessByStdio } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { ROOT } from '../../src/builder/files/project-folder.ts'

/** The launcher of the project's own commands. */
export const VITRINA = join(ROOT, 'scripts/vitrina.mjs')
const PACKAGES = join(ROOT, 'node_modules')
// TypeScript 7 compiles in a third of the time that version 6 takes. Version 6 is installed, too, because Astro's check
// needs its API.
export const TSC = join(PACKAGES, 'typescript-7/bin/tsc')
export const OXLINT = join(PACKAGES, 'oxlint/bin/oxlint')
export const KNIP = join(PACKAGES, 'knip/bin/knip.js')
export const OXFMT = join(PACKAGES, 'oxfmt/bin/oxfmt')
export const PRETTIER = join(PACKAGES, 'prettier/bin/prettier.cjs')

interface ChildOutput {
  /** Exit code; `null` if a signal ended the process. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Waits until the child process has ended. Call it at once after the start: an earlier end would be missed. */
export async function collectOutput(
  child: ChildProcessByStdio<Writable | null, Readable, Readable>,
): Promise<ChildOutput> {
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'exit'),
    text(child.stdout),
    text(child.stderr),
  ])
  return { code, stdout, stderr }
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
  const { code, stdout, stderr } = await collectOutput(child)
  return { code, output: stdout + stderr }
}
