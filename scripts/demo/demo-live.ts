/** Edits prices in a local Firestore and measures how long each edit takes to reach a visitor. */
import type { CommandDefinition } from '../../src/builder/commands/command.ts'
import { EXIT } from '../../src/builder/commands/exit-codes.ts'
import { formatExitCodes } from '../../src/builder/commands/program.ts'
import { createCountParser } from '../measure/parse-count.ts'
import { openLiveSite } from './live-site.ts'
import { measureSite } from './measure-site.ts'

interface DemoLiveOptions {
  readonly edits: number
}

/** Max median time from the write to the visitor, in milliseconds. */
const BUDGET = 1_000
/** Price of the first edit. It is higher than any price of the sample, so that no earlier page shows it. */
const FIRST_PRICE = 70_001

export const command: CommandDefinition<DemoLiveOptions> = {
  configure: (parser) =>
    parser
      .option('--edits <n>', 'number of edits', createCountParser(1, 1_000), 20)
      .addHelpText(
        'after',
        `${formatExitCodes('done', 'attention', 'usage', 'unfinished')}\n\nThe exit code is ${EXIT.attention} if the median time from the write to the page that a visitor\nreceives exceeds one second.`,
      ),
  parse: ({ flags }) => ({ edits: flags['edits'] as number }),
  run: async ({ edits }, { print, progress, listenForEnd }) => {
    // Listens for Ctrl-C before the site starts. Child processes in their own process group do not receive it, so this
    // process must stop them.
    const options = { edits, firstPrice: FIRST_PRICE, progress: progress.update, end: listenForEnd() }
    const { table, served } = await measureSite(openLiveSite, options)
    progress.done('')
    print(`${table.join('\n')}\n\nMilliseconds after the write began; medians of ${edits} edits.`)
    return { exit: served <= BUDGET ? EXIT.done : EXIT.attention }
  },
}
