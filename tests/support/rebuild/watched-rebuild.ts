/** The real `rebuild --watch` in a child process. */
import { spawn } from 'node:child_process'
import { EventEmitter, on, once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterEach, expect } from 'vitest'
import type { RebuildReport } from '../../../src/builder/commands/rebuild/rebuild-report.ts'
import { NO_SETTINGS } from '../../../scripts/measure/no-settings.ts'
import { VITRINA } from '../../../scripts/measure/run-tool.ts'
import { ROOT } from '../../../src/builder/files/project-folder.ts'

interface WatchedRebuild {
  /** The report of the next rebuild. */
  readonly next: () => Promise<RebuildReport>
  /** Resolves once it has warned in these words. */
  readonly waitForWarning: (words: string) => Promise<void>
  /** Interrupts it. Resolves to its exit code. */
  readonly stop: () => Promise<number | null>
}

type Watch = (source: string, settings?: Readonly<Record<string, string>>) => WatchedRebuild

/** Call it below `useTemporaryFolder`, so that the process is killed before its folder is removed. */
export function useWatch(path: (...names: readonly string[]) => string): Watch {
  let kill: () => Promise<unknown> = async () => {}
  afterEach(() => kill())
  return (source, settings = {}) => {
    const places = ['--source', source, '--out', path('dist'), '--state', path('state')]
    const child = spawn(process.execPath, [VITRINA, 'rebuild', '--json', '--watch', ...places], {
      cwd: ROOT,
      env: { ...process.env, ...NO_SETTINGS, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    // An `error` event without a listener would end the process.
    const events = new EventEmitter().on('error', () => {})
    const reports = on(events, 'report')
    let said = ''
    child.stderr.on('data', (text) => (said += String(text)))
    createInterface({ input: child.stdout }).on('line', (line) => {
      events.emit('report', JSON.parse(line) as RebuildReport)
    })
    const ended = once(child, 'close').then(([exit]: (number | null)[]) => {
      events.emit('error', new Error(`the watch ended: ${said}`))
      return exit ?? null
    })
    const stop = (signal: NodeJS.Signals): Promise<number | null> => {
      child.kill(signal)
      return ended
    }
    kill = () => stop('SIGKILL')
    return {
      next: async () => (await reports.next()).value?.[0],
      waitForWarning: (words) => expect.poll(() => said, { interval: 20 }).toContain(words),
      stop: () => stop('SIGINT'),
    }
  }
}
