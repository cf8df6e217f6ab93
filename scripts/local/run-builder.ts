/** Runs the real rebuild command in a child process. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { RebuildReport } from '../../src/builder/commands/rebuild/rebuild-report.ts'
import { VITRINA } from '../../src/builder/commands/run-node.ts'
import { ROOT } from '../../src/builder/state/project-folder.ts'
import { NO_SETTINGS } from '../../src/builder/commands/settings.ts'
import type { SiteSettings } from './objects-worker.ts'

export interface BuilderRun {
  /** Parent folder of the site (`dist`) and of the state (`state`). */
  readonly folder: string
  readonly settings: SiteSettings
  readonly options: readonly string[]
  readonly onReport?: (report: RebuildReport) => void
}

interface BuilderEnd {
  /** Exit code; `null` if a signal ended the process. */
  readonly exit: number | null
  /** The last report; `null` if the process was killed or reported nothing. */
  readonly report: RebuildReport | null
  /** The text on stderr, followed by the last report. Only the last 2,000 characters of both together. */
  readonly words: string
  readonly ms: number
}

interface RunningBuilder {
  readonly ended: Promise<BuilderEnd>
  /** Returns `BuilderEnd.words` for the output so far. */
  readWords(): string
  /** Sends the signal, by default SIGTERM. Resolves when the process has ended. */
  stop(signal?: NodeJS.Signals): Promise<void>
}

export function runBuilder({ folder, settings, options, onReport }: BuilderRun): RunningBuilder {
  const folders = ['--out', join(folder, 'dist'), '--state', join(folder, 'state')]
  const start = performance.now()
  const child = spawn(process.execPath, [VITRINA, 'rebuild', '--json', ...folders, ...options], {
    cwd: ROOT,
    env: { ...process.env, ...NO_SETTINGS, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said: string[] = []
  let last = ''
  child.stderr.on('data', (text) => said.push(String(text)))
  createInterface({ input: child.stdout }).on('line', (line) => {
    last = line
    if (onReport !== undefined) onReport(JSON.parse(line) as RebuildReport)
  })
  const readWords = (): string => `${said.join('')}${last}`.trim().slice(-2_000)
  const ended = once(child, 'close').then(([exit]: (number | null)[]): BuilderEnd => ({
    exit: exit ?? null,
    report: typeof exit === 'number' && last !== '' ? (JSON.parse(last) as RebuildReport) : null,
    words: readWords(),
    ms: performance.now() - start,
  }))
  return {
    ended,
    readWords,
    stop: async (signal) => {
      child.kill(signal)
      await ended
    },
  }
}

/** Runs a rebuild. Throws unless its exit code is 0. */
export async function requireBuilt(run: BuilderRun): Promise<void> {
  const { exit, words } = await runBuilder(run).ended
  if (exit !== 0) throw new Error(`the rebuild ended with exit code ${exit}: ${words}`)
}
