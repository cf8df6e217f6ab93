/** `npm run notify -- <seller…>` or `-- --full`: tells the site that sellers changed, or to read everything again. */
import { Command, InvalidArgumentError } from 'commander'
import { findIdProblem } from '../../../domain/documents/seller-id.ts'
import type { Connection } from './coordinator-command.ts'
import { EXIT, parseArguments, runWithCoordinator } from './coordinator-command.ts'
import { createProgress } from '../progress.ts'

/** So many ids of any length fit into one notice. */
const GROUP = 100

const command = new Command('npm run notify --')
  .description('Tell the site that sellers changed; it starts a rebuild.')
  .argument('[seller...]', 'ids of sellers whose documents changed', collectSeller)
  .option('--full', 'have everything read again')
  .addHelpText(
    'after',
    `
Environment (or .env): REBUILD_SECRET, the same as the site's; COORDINATOR_URL, by default SITE_URL.
Exit codes: 0 the site has stored it; 1 refused, or the site could not be reached; 2 wrong usage.`,
  )

parseArguments(command)
const [sellers = []] = command.processedArgs as [(readonly string[])?]
const isFull = command.opts<{ full?: boolean }>().full === true
if (isFull === sellers.length > 0)
  command.error('error: name the sellers that changed, or ask for --full', { exitCode: EXIT.usage })

const progress = createProgress('notify')
process.exitCode = await runWithCoordinator(send, progress.update, progress.fail)

async function send({ url, client }: Connection): Promise<number> {
  progress.update(`to ${url}`)
  const groups = isFull ? [[]] : splitGroups(sellers)
  let accepted = 0
  let pending = 0
  for (const group of groups) {
    const answer = await (isFull ? client.notifyFull() : client.notify(group))
    accepted += answer.accepted
    pending = answer.pending
  }
  progress.done('')
  const what = isFull ? 'a full read' : `${formatSellers(accepted)}`
  console.log(`${url} has stored ${what}; ${formatSellers(pending)} ${pending === 1 ? 'waits' : 'wait'} now.`)
  return EXIT.done
}

function splitGroups(all: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(all.length / GROUP)
  return Array.from({ length: count }, (_, index) => all.slice(index * GROUP, (index + 1) * GROUP))
}

function formatSellers(count: number): string {
  return count === 1 ? '1 seller' : `${count.toLocaleString('en')} sellers`
}

function collectSeller(id: string, before: readonly string[] = []): readonly string[] {
  const problem = findIdProblem(id)
  if (problem !== null) throw new InvalidArgumentError(`A seller of this id has no page: it ${problem}.`)
  return [...new Set([...before, id])]
}
