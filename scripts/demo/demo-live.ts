/** `npm run demo:live`: edits prices in a local Firestore, and tells how long each takes to reach a visitor. */
import { Command, InvalidArgumentError } from 'commander'
import { findMedian } from '../measure/statistics.ts'
import type { Stations } from './edit.ts'
import { openLiveSite } from './live-site.ts'
import { formatStations } from './format-stations.ts'
import { createProgress } from '../../src/builder/commands/progress.ts'

const BUDGET = 1_000
/** No price of the sample is as high. */
const FIRST_PRICE = 70_001

// React's development build is slower and makes other markup.
process.env['NODE_ENV'] = 'production'

const command = new Command('npm run demo:live --')
  .description('A price changes in Firestore, and a visitor sees it: everything real, on this machine.')
  .option('--edits <number>', 'how often', parseCount, 20)
  .addHelpText('after', '\nExit codes: 0 within a second; 1 slower, or it failed; 2 wrong usage.')
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
  .parse()
const { edits } = command.opts<{ edits: number }>()

const progress = createProgress('demo')
try {
  const all = await measure()
  progress.done('')
  console.log(formatStations(all))
  process.exitCode = findMedian(all.map(({ served }) => served)) <= BUDGET ? 0 : 1
} catch (error) {
  progress.fail(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}

async function measure(): Promise<readonly Stations[]> {
  const opening = openLiveSite(progress.update)
  // Also while it starts: what has a process group of its own does not hear of Ctrl-C.
  const stop = (): void =>
    void opening
      .then((site) => site.close())
      .then(
        () => process.exit(1),
        () => process.exit(1),
      )
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop)
  const site = await opening
  try {
    const all: Stations[] = []
    // The first one loads what is loaded once.
    await site.edit(FIRST_PRICE)
    for (let count = 1; count <= edits; count += 1) {
      progress.update(`${count} of ${edits} edits`)
      all.push(await site.edit(FIRST_PRICE + count))
    }
    return all
  } finally {
    await site.close()
  }
}

function parseCount(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count > 0 && count <= 1_000) return count
  throw new InvalidArgumentError('From 1 to 1000.')
}
