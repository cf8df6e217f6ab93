/** Runs the real rebuild command in a child process. */
import { spawn } from 'node:child_process'
import type { RebuildReport } from '../../../src/builder/commands/rebuild/rebuild-report.ts'
import { collectOutput } from '../../../scripts/measure/run-tool.ts'
import { ROOT } from '../../../src/builder/files/project-folder.ts'

export interface RebuildRun {
  readonly code: number | null
  readonly report: RebuildReport
  readonly stdout: string
  readonly stderr: string
}

export interface RebuildPlace {
  readonly source: string
  readonly output: string
  readonly state: string
  readonly env?: Readonly<Record<string, string>>
  /** The project whose command runs; this one by default. */
  readonly project?: string
  /** Kills the command. */
  readonly signal?: AbortSignal
}

/** With `--json`: the report is the last line of stdout. */
export async function runRebuild(place: RebuildPlace, ...options: readonly string[]): Promise<RebuildRun> {
  const run = await runCommand(place, '--json', ...options)
  return { ...run, report: JSON.parse(run.stdout.trim().split('\n').at(-1) ?? '') as RebuildReport }
}

/** Pictures are slow and finish at varying times. */
export const WITHOUT_PICTURES = { PHOTOS: 'off', PRODUCT_PAGES: 'off' }

export function listFlags({ source, output, state }: RebuildPlace): readonly string[] {
  return ['--source', source, '--out', output, '--state', state]
}

/** Without pictures and pages of products, unless `env` enables them. */
async function runCommand(
  place: RebuildPlace,
  ...options: readonly string[]
): Promise<Omit<RebuildRun, 'report'>> {
  const { env = {}, project = ROOT, signal } = place
  const args = ['scripts/vitrina.mjs', 'rebuild', ...listFlags(place), ...options]
  const child = spawn(process.execPath, args, {
    cwd: project,
    env: { ...process.env, ...WITHOUT_PICTURES, ...env },
    signal,
    killSignal: 'SIGKILL',
  })
  return collectOutput(child)
}
