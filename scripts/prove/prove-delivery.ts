/**
 * Proves that a delivery that is cut off anywhere, a store that fails, and strange addresses do a site of objects no
 * harm.
 */
import { formatCount, formatNumber } from '../../src/builder/format-numbers.ts'
import { askStrangeIds } from './delivery/ask-strange-ids.ts'
import { openDeliverySite } from './delivery/delivery-site.ts'
import { failStore } from './delivery/fail-store.ts'
import { killDeliveries, loseState } from './delivery/kill-deliveries.ts'
import { createProof, parseCount } from './proof-command.ts'

interface ProveDeliveryOptions {
  readonly kills: number
  readonly outage: number
  readonly ids: number
  readonly sellers: number
  readonly seed: number
}

/** Number of sellers that change before the state is lost. */
const CHANGED = 3

export const command = createProof<ProveDeliveryOptions>({
  configure: (parser) =>
    parser
      .option('--kills <n>', 'kills of rebuild --deploy', parseCount, 20)
      .option('--outage <seconds>', 'how long the store fails', parseCount, 10)
      .option('--ids <n>', 'random and impossible ids to ask for', parseCount, 1_000)
      .option('--sellers <n>', 'number of sellers', parseCount, 250),
  seeded: 'edits and instants',
  prove: async ({ kills, outage, ids, sellers, seed }, progress) => {
    const site = await openDeliverySite(sellers, progress)
    try {
      const killed = await killDeliveries(site, { kills, seed, progress })
      progress('Losing the state')
      const bytes = await loseState(site, CHANGED)
      progress('The store fails')
      const answers = await failStore(site, outage)
      progress('Asking for strange ids')
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
  },
})
