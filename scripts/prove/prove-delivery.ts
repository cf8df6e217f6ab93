/** Proves that a delivery that is cut off anywhere, a store that fails, and strange addresses do a site of objects no harm. */
import type { CommandDefinition } from '../../src/builder/commands/command.ts'
import { formatExitCodes } from '../../src/builder/commands/program.ts'
import { formatCount, formatNumber } from '../../src/builder/format-numbers.ts'
import { askStrangeIds } from './delivery/ask-strange-ids.ts'
import { openDeliverySite } from './delivery/delivery-site.ts'
import { failStore } from './delivery/fail-store.ts'
import { killDeliveries, loseState } from './delivery/kill-deliveries.ts'
import { chooseSeed, concludeProof, parseCount } from './proof-command.ts'

export interface ProveDeliveryOptions {
  readonly kills: number
  readonly outage: number
  readonly ids: number
  readonly sellers: number
  readonly seed: number
}

/** Of the sellers, when the state is lost. */
const CHANGED = 3

export const command: CommandDefinition<ProveDeliveryOptions> = {
  configure: (parser) =>
    void parser
      .option('--kills <n>', 'kills of rebuild --deploy', parseCount, 20)
      .option('--outage <seconds>', 'how long the store fails', parseCount, 10)
      .option('--ids <n>', 'random and impossible ids to ask for', parseCount, 1_000)
      .option('--sellers <n>', 'number of sellers', parseCount, 250)
      .option('--seed <n>', 'the same seed gives the same edits and instants', parseCount, chooseSeed())
      .addHelpText('after', formatExitCodes('done', 'attention', 'usage', 'unfinished')),
  parse: ({ flags }) => flags as unknown as ProveDeliveryOptions,
  run: ({ kills, outage, ids, sellers, seed }, terminal) =>
    concludeProof(terminal, ` (seed ${seed})`, async () => {
      const { update } = terminal.progress
      const site = await openDeliverySite(sellers, update)
      try {
        const killed = await killDeliveries(site, { kills, seed, progress: update })
        update('Losing the state')
        const bytes = await loseState(site, CHANGED)
        update('The store fails')
        const answers = await failStore(site, outage)
        update('Asking for strange ids')
        const { asked, reads } = await askStrangeIds(site, { ids, seed })
        return [
          `${killed.kills} kills, ${killed.partial} of them after a part was stored, ${killed.late} after the end`,
          `without state ${formatNumber(bytes.changed)} bytes for ${formatCount(CHANGED, 'changed seller')}, ${formatNumber(bytes.all)} for all ${formatNumber(sellers)}`,
          `${formatNumber(answers)} answers while the store failed for ${outage} s`,
          `${formatCount(asked, 'strange id')}, ${formatCount(reads, 'read')}`,
        ].join('; ')
      } finally {
        await site.close()
      }
    }),
}
