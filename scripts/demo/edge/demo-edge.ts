/** Edits prices and measures how long each edit takes to reach a visitor of a site of objects: by SQL with a builder, and in Firestore without one. */
import type { CommandDefinition } from '../../../src/builder/commands/command.ts'
import { EXIT } from '../../../src/builder/commands/exit-codes.ts'
import { formatExitCodes } from '../../../src/builder/commands/program.ts'
import { findMedian } from '../../measure/times.ts'
import { createCountParser } from '../../measure/parse-count.ts'
import type { EditedSite, EditOptions } from '../measure-edits.ts'
import { measureEdits } from '../measure-edits.ts'
import { openEdgeSite } from './edge-site.ts'
import { openFirestoreSite, QUIET } from './firestore-site.ts'
import { formatDocumentStations } from './format-document-stations.ts'
import { formatEdgeStations } from './format-edge-stations.ts'

export interface DemoEdgeOptions {
  readonly edits: number
}

/** Medians in milliseconds, from the edit to the visitor. */
const BUDGETS = { statement: 500, document: 700 }
/** Higher than any price of the sample. */
const FIRST_PRICE = 80_001

export const command: CommandDefinition<DemoEdgeOptions> = {
  configure: (parser) =>
    parser
      .option('--edits <n>', 'number of edits of each kind', createCountParser(1, 1_000), 20)
      .addHelpText(
        'after',
        `${formatExitCodes('done', 'attention', 'usage', 'unfinished')}\n\nA median above ${BUDGETS.statement} ms with a builder, or above ${BUDGETS.document} ms without one, needs attention.`,
      ),
  parse: ({ flags }) => ({ edits: flags['edits'] as number }),
  run: async ({ edits }, { print, progress, listenForEnd }) => {
    // Also during the start: a child process in its own process group does not receive Ctrl-C.
    const end = listenForEnd()
    const options = { edits, firstPrice: FIRST_PRICE, progress: progress.update, end }
    const statements = await measure(openEdgeSite, options)
    progress.done('')
    print(`A SQL statement, with a builder that watches\n\n${formatEdgeStations(statements)}\n`)
    const documents = await measure(openFirestoreSite, options)
    progress.done('')
    print(`A document of Firestore, without a builder\n\n${formatDocumentStations(documents, QUIET)}`)
    const isWithin = findServed(statements) <= BUDGETS.statement && findServed(documents) <= BUDGETS.document
    return { exit: isWithin ? EXIT.done : EXIT.attention }
  },
}

type Open<Times> = (
  progress: (text: string) => void,
) => Promise<EditedSite<Times> & { close(): Promise<void> }>

async function measure<Times>(open: Open<Times>, options: EditOptions): Promise<readonly Times[]> {
  const site = await open(options.progress)
  try {
    return await measureEdits(site, options)
  } finally {
    await site.close()
  }
}

function findServed(all: readonly { readonly served: number }[]): number {
  return findMedian(all.map(({ served }) => served))
}
