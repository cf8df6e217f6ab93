/**
 * Edits prices and measures how long each edit takes to reach a visitor of a site of objects. Edits are made by SQL
 * with a builder, and in Firestore without one.
 */
import type { CommandDefinition } from '../../../src/builder/commands/command.ts'
import { EXIT } from '../../../src/builder/commands/exit-codes.ts'
import { formatExitCodes } from '../../../src/builder/commands/program.ts'
import { createCountParser } from '../../measure/parse-count.ts'
import { measureSite } from '../measure-site.ts'
import { openFirestoreSite, QUIET } from './firestore-site.ts'
import { openSqlSite } from './sql-site.ts'

interface DemoEdgeOptions {
  readonly edits: number
}

/** Max median times from the edit to the visitor, in milliseconds. */
const BUDGETS = { statement: 500, document: 700 }
/** Price of the first edit. It is higher than any price of the sample, so that no earlier page shows it. */
const FIRST_PRICE = 80_001

export const command: CommandDefinition<DemoEdgeOptions> = {
  configure: (parser) =>
    parser
      .option('--edits <n>', 'number of edits of each kind', createCountParser(1, 1_000), 20)
      .addHelpText(
        'after',
        `${formatExitCodes('done', 'attention', 'usage', 'unfinished')}\n\nThe exit code is ${EXIT.attention} if the median time from the edit to the page that a visitor\nreceives exceeds ${BUDGETS.statement} ms with a builder, or ${BUDGETS.document} ms without one.`,
      ),
  parse: ({ flags }) => ({ edits: flags['edits'] as number }),
  run: async ({ edits }, { print, progress, listenForEnd }) => {
    // Listens for Ctrl-C before the site starts. Child processes in their own process group do not receive it, so this
    // process must stop them.
    const options = { edits, firstPrice: FIRST_PRICE, progress: progress.update, end: listenForEnd() }
    const statement = await measureSite(openSqlSite, options)
    progress.done('')
    print(`A SQL statement, with a builder that watches\n\n${statement.table.join('\n')}\n`)
    const document = await measureSite(openFirestoreSite, options)
    progress.done('')
    print(`A Firestore document, without a builder\n\n${document.table.join('\n')}

Milliseconds after the edit began; medians of ${edits} edits. Everything runs on this machine: the builder, and the Worker with
its objects, queue and coordinator. After a change of a document, the Worker waits for a quiet period of ${QUIET} ms.
The visitor requests the page every 5 ms.`)
    const isWithin = statement.served <= BUDGETS.statement && document.served <= BUDGETS.document
    return { exit: isWithin ? EXIT.done : EXIT.attention }
  },
}
