/** Edits prices in a local Firestore and measures how long each edit takes to reach a visitor. */
import { once } from 'node:events'
import type { CommandDefinition } from '../../src/builder/commands/command.ts'
import { EXIT } from '../../src/builder/commands/exit-codes.ts'
import { formatExitCodes } from '../../src/builder/commands/program.ts'
import { findMedian } from '../measure/median.ts'
import { createCountParser } from '../measure/parse-count.ts'
import type { Stations } from './edit.ts'
import { formatStations } from './format-stations.ts'
import type { LiveSite } from './live-site.ts'
import { openLiveSite } from './live-site.ts'

export interface DemoLiveOptions {
  readonly edits: number
}

/** In milliseconds, from the write to the visitor. */
const BUDGET = 1_000
/** Higher than any price of the sample. */
const FIRST_PRICE = 70_001

export const command: CommandDefinition<DemoLiveOptions> = {
  configure: (parser) =>
    parser
      .option('--edits <n>', 'number of edits', createCountParser(1, 1_000), 20)
      .addHelpText(
        'after',
        `${formatExitCodes('done', 'attention', 'usage', 'unfinished')}\n\nA median above a second needs attention.`,
      ),
  parse: ({ flags }) => ({ edits: flags['edits'] as number }),
  run: async ({ edits }, { print, progress, listenForEnd }) => {
    // Also during the start: a child process in its own process group does not receive Ctrl-C.
    const end = listenForEnd()
    const site = await openLiveSite(progress.update)
    try {
      const measured = measureEdits(site, edits, progress.update)
      const all = await Promise.race([measured, rejectAtEnd(end)])
      progress.done('')
      print(formatStations(all))
      const isWithin = findMedian(all.map(({ served }) => served)) <= BUDGET
      return { exit: isWithin ? EXIT.done : EXIT.attention }
    } finally {
      await site.close()
    }
  },
}

async function measureEdits(
  site: LiveSite,
  edits: number,
  progress: (text: string) => void,
): Promise<readonly Stations[]> {
  const all: Stations[] = []
  // The first edit loads modules that are loaded once.
  await site.edit(FIRST_PRICE)
  for (let count = 1; count <= edits; count += 1) {
    progress(`${count} of ${edits} edits`)
    all.push(await site.edit(FIRST_PRICE + count))
  }
  return all
}

async function rejectAtEnd(end: AbortSignal): Promise<never> {
  if (!end.aborted) await once(end, 'abort')
  throw new Error('stopped before all edits were measured')
}
