/** Runs a command of a project under bad conditions: few file handles, a preload that breaks it, a pipe that closes. */
import { spawn } from 'node:child_process'
import { collectOutput } from '../../../../scripts/measure/run-tool.ts'

export interface CrashSetup {
  readonly project: string
  /** The command with its options. */
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** A module that every thread of the process loads first. */
  readonly preload?: string
  /** A bash script in which `"$@"` is the command. */
  readonly line?: string
}

export interface CrashRun {
  /** `null` when a signal ended it. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Timeout after which a run counts as hanging, in milliseconds: shorter than that of a test, so that its output is shown. */
const PATIENCE = 500_000

/** The process inherits the rest of its environment from the test. */
export async function runBadly({ project, args, env, preload, line }: CrashSetup): Promise<CrashRun> {
  const preloads = preload === undefined ? [] : ['--import', preload]
  const command = [process.execPath, ...preloads, 'scripts/vitrina.mjs', ...args]
  const child = spawn('bash', ['-c', line ?? 'exec "$@"', 'bash', ...command], {
    cwd: project,
    env: { ...process.env, PHOTOS: 'off', PRODUCT_PAGES: 'off', ...env },
    timeout: PATIENCE,
  })
  return collectOutput(child)
}

/** Parses the last line of stdout. */
export function readReport({ stdout }: Pick<CrashRun, 'stdout'>): Record<string, unknown> {
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, unknown>
}
