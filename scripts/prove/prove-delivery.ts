/**
 * Proves that a site in lane `objects` survives deliveries killed at any instant, and the loss of a builder's state.
 */
import { formatCount, formatNumber } from '../../src/builder/format-numbers.ts'
import { openDeliverySite } from './delivery/delivery-site.ts'
import { killDeliveries, loseState } from './delivery/kill-deliveries.ts'
import { createProof, parseCount } from './proof-command.ts'

interface ProveDeliveryOptions {
  readonly kills: number
  readonly sellers: number
  readonly seed: number
}

/** Number of sellers that change while the builder has no state. */
const CHANGED = 3

export const command = createProof<ProveDeliveryOptions>({
  configure: (parser) =>
    parser
      .option('--kills <n>', 'number of times to kill rebuild --deploy', parseCount, 20)
      .option('--sellers <n>', 'number of sellers', parseCount, 250),
  seeded: 'edits and instants',
  prove: async ({ kills, sellers, seed }, progress) => {
    const site = await openDeliverySite(sellers, progress)
    try {
      const killed = await killDeliveries(site, { kills, seed, progress })
      progress('Deleting the local state')
      const bytes = await loseState(site, CHANGED)
      return [
        `${killed.kills} kills, ${killed.partial} of them during an upload, ${killed.late} after the run had ended`,
        `after the local state was deleted, ${formatNumber(bytes.changed)} bytes were sent for ${formatCount(CHANGED, 'changed seller')}, ${formatNumber(bytes.all)} for all ${formatNumber(sellers)}`,
      ].join('; ')
    } finally {
      await site.close()
    }
  },
})
