/** The real `rebuild --watch` in a child process. */
import { on } from 'node:events'
import { afterEach, expect } from 'vitest'
import { runBuilder } from '../../../scripts/local/run-builder.ts'
import { createEvents } from '../../../scripts/local/watch-calls.ts'
import type { RebuildReport } from '../../../src/builder/commands/rebuild/rebuild-report.ts'

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
  let kill = async (): Promise<void> => {}
  afterEach(() => kill())
  return (source, settings = {}) => {
    const events = createEvents()
    const reports = on(events, 'report')
    const onReport = (report: RebuildReport): void => void events.emit('report', report)
    const options = ['--watch', '--source', source]
    const { ended, readWords, stop } = runBuilder({ folder: path(), settings, options, onReport })
    kill = () => stop('SIGKILL')
    void ended.then(({ words }) => events.emit('error', new Error(`the watch ended: ${words}`)))
    return {
      next: async () => (await reports.next()).value?.[0],
      waitForWarning: (words) => expect.poll(readWords, { interval: 20 }).toContain(words),
      stop: async () => {
        await stop('SIGINT')
        return (await ended).exit
      },
    }
  }
}
