/** `notify <seller…>` or `notify --full`: reports changed sellers to the site, or requests a full read. */
import type { Command } from 'commander'
import { divide } from '../../../domain/work/batches.ts'
import { UsageError } from '../../files/usage-error.ts'
import { formatCount } from '../../format-numbers.ts'
import type { CoordinatorAddress } from '../../publish/coordinator/coordinator-client.ts'
import { createCoordinatorClient } from '../../publish/coordinator/coordinator-client.ts'
import type { CommandDefinition, CommandResult, Terminal } from '../command.ts'
import { parseConfiguration } from '../configuration.ts'
import { EXIT } from '../exit-codes.ts'
import { collectSeller } from '../rebuild/rebuild-options.ts'
import { configureStage } from '../stage.ts'

interface NotifyOptions {
  readonly coordinator: CoordinatorAddress
  /** Empty for a full read. */
  readonly sellers: readonly string[]
}

/** Max ids per notice. This many ids of the maximum length still fit into the body of one call. */
const GROUP = 20

export const command: CommandDefinition<NotifyOptions> = {
  blank: { recorded: 0, waiting: null },
  configure: configureNotify,
  parse: ({ flags, words: sellers, environment }) => {
    const isFull = flags['full'] === true
    if (isFull === sellers.length > 0)
      throw new UsageError('name the changed sellers or use --full, but not both')
    const need = isFull ? 'rebuild secret' : 'notice secret'
    return { coordinator: parseConfiguration(environment, [need]).coordinator, sellers }
  },
  run: notify,
}

function configureNotify(parser: Command): void {
  configureStage(parser)
    .argument('[seller...]', 'ids of sellers whose documents changed', collectSeller)
    .option('--full', 'request a full read')
}

async function notify(
  { coordinator, sellers }: NotifyOptions,
  { print, progress }: Terminal,
): Promise<CommandResult> {
  const client = createCoordinatorClient(coordinator)
  progress.update(`to ${coordinator.url}`)
  const isFull = sellers.length === 0
  let waiting = 0
  if (isFull) waiting = await client.noticeFull()
  else for (const group of divide(sellers, GROUP)) waiting = await client.notice(group)
  const what = isFull ? 'the request for a full read' : formatCount(sellers.length, 'changed seller')
  print(`${coordinator.url} has recorded ${what}. Waiting now: ${formatCount(waiting, 'seller')}.`)
  return { exit: EXIT.done, report: { recorded: sellers.length, waiting } }
}
