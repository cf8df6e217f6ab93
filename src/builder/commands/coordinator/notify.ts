/** `notify <seller…>` or `notify --full`: reports changed sellers to the site, or requests a full read. */
import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'
import { findIdProblem } from '../../../domain/documents/page-id.ts'
import { divide } from '../../../domain/work/batches.ts'
import { formatCount } from '../../format-numbers.ts'
import type { CoordinatorOptions } from '../../publish/coordinator/coordinator-client.ts'
import { UsageError } from '../../files/usage-error.ts'
import type { CommandDefinition, CommandResult, Terminal } from '../command.ts'
import { parseConfiguration } from '../configuration.ts'
import { EXIT } from '../exit-codes.ts'
import { formatExitCodes } from '../program.ts'
import { configureStage } from '../stage.ts'
import { connectCoordinator, COORDINATOR_HELP } from './connect-coordinator.ts'

interface NotifyOptions {
  readonly coordinator: CoordinatorOptions
  /** Empty for a full read. */
  readonly sellers: readonly string[]
}

const HELP = `${COORDINATOR_HELP}
  NOTICE_SECRET    the secret of notices, if it differs from REBUILD_SECRET`

/** Max ids per notice. This many ids of the maximum length still fit into the body of one call. */
const GROUP = 100

export const command: CommandDefinition<NotifyOptions> = {
  configure: configureNotify,
  parse: ({ flags, words: sellers, environment }) => {
    const isFull = flags['full'] === true
    if (isFull === sellers.length > 0)
      throw new UsageError('name the changed sellers or use --full, but not both')
    const need = isFull ? 'builder secret' : 'notice secret'
    return { coordinator: parseConfiguration(environment, [need]).coordinator, sellers }
  },
  run: notify,
}

function configureNotify(parser: Command): void {
  configureStage(parser)
    .argument('[seller...]', 'ids of sellers whose documents changed', collectSeller)
    .option('--full', 'request a full read')
    .addHelpText('after', formatExitCodes('done', 'usage', 'source', 'unfinished') + HELP)
}

async function notify(
  { coordinator, sellers }: NotifyOptions,
  { print, progress }: Terminal,
): Promise<CommandResult> {
  const { url } = coordinator
  const client = connectCoordinator({ url, secrets: coordinator.noticeSecrets }, progress.update)
  progress.update(`to ${url}`)
  const isFull = sellers.length === 0
  let accepted = 0
  let pending = 0
  for (const group of isFull ? [[]] : divide(sellers, GROUP)) {
    const answer = await (isFull ? client.notifyFull() : client.notify(group))
    accepted += answer.accepted
    pending = answer.pending
  }
  progress.done('')
  const what = isFull ? 'the request for a full read' : formatCount(accepted, 'changed seller')
  const waiting = `${formatCount(pending, 'seller')} ${pending === 1 ? 'waits' : 'wait'}`
  print(`${url} has recorded ${what}; ${waiting} now.`)
  return { exit: EXIT.done }
}

function collectSeller(id: string, before: readonly string[] = []): readonly string[] {
  const problem = findIdProblem(id)
  if (problem !== null)
    throw new InvalidArgumentError(`A seller with this id cannot have a page: the id ${problem}.`)
  return [...new Set([...before, id])]
}
