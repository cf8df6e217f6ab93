/** Edits prices in a database by SQL and measures how long each edit takes to reach a visitor of a site of objects. */
import type { CommandDefinition } from '../../../src/builder/commands/command.ts'
import { EXIT } from '../../../src/builder/commands/exit-codes.ts'
import { formatExitCodes } from '../../../src/builder/commands/program.ts'
import { findMedian } from '../../measure/median.ts'
import { createCountParser } from '../../measure/parse-count.ts'
import { formatEdgeStations } from './format-edge-stations.ts'
import { openEdgeSite } from './edge-site.ts'
import { measureEdits } from '../measure-edits.ts'

export interface DemoEdgeOptions {
  readonly edits: number
}

/** In milliseconds, from the SQL statement to the visitor. */
const BUDGET = 500
/** Higher than any price of the sample. */
const FIRST_PRICE = 80_001

export const command: CommandDefinition<DemoEdgeOptions> = {
  configure: (parser) =>
    parser
      .option('--edits <n>', 'number of edits', createCountParser(1, 1_000), 20)
      .addHelpText(
        'after',
        `${formatExitCodes('done', 'attention', 'usage', 'unfinished')}\n\nA median above half a second needs attention.`,
      ),
  parse: ({ flags }) => ({ edits: flags['edits'] as number }),
  run: async ({ edits }, { print, progress, listenForEnd }) => {
    // Also during the start: a child process in its own process group does not receive Ctrl-C.
    const end = listenForEnd()
    const site = await openEdgeSite(progress.update)
    try {
      const options = { edits, firstPrice: FIRST_PRICE, progress: progress.update, end }
      const all = await measureEdits(site, options)
      progress.done('')
      print(formatEdgeStations(all))
      const isWithin = findMedian(all.map(({ served }) => served)) <= BUDGET
      return { exit: isWithin ? EXIT.done : EXIT.attention }
    } finally {
      await site.close()
    }
  },
}
