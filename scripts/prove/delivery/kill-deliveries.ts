/** Kills `rebuild --deploy` at random instants, runs it again, and compares the site with a clean build. */
import { rmSync } from 'node:fs'
import { createRandom } from '../../measure/random.ts'
import { fail } from '../check-run.ts'
import { checkSite } from './check-site.ts'
import type { Delivered, DeliverySite } from './delivery-site.ts'

export interface KillOptions {
  readonly kills: number
  readonly seed: number
  readonly progress: (text: string) => void
}

export interface KillFigures {
  readonly kills: number
  /** Kills after the run had ended. */
  readonly late: number
  /** Runs that had delivered a part when they were killed. */
  readonly partial: number
}

/** Of a run, before it loads its code. */
const BEGINNING = 0.3

export async function killDeliveries(site: DeliverySite, options: KillOptions): Promise<KillFigures> {
  const { kills, seed, progress } = options
  const random = createRandom(seed)
  site.shop.edit(random)
  let longest = (await demandDelivered(site)).ms
  const figures = { kills: 0, late: 0, partial: 0 }
  for (; figures.kills < kills; figures.kills += 1) {
    progress(`${figures.kills} of ${kills} kills`)
    site.shop.edit(random)
    await site.setStore(false)
    const share = BEGINNING + ((1 - BEGINNING) * random.below(1_000)) / 1_000
    const killed = await site.deliver({ after: longest * share })
    if (killed.exit !== null) figures.late += 1
    else if ((await site.setStore(false)).writes > 0) figures.partial += 1
    const { ms } = await demandDelivered(site)
    longest = (3 * longest + Math.max(ms, longest / 2)) / 4
    await checkSite(site)
  }
  return figures
}

/** Without its state a builder compares everything, and sends what differs. Returns the bytes of both. */
export async function loseState(
  site: DeliverySite,
  changed: number,
): Promise<{ readonly all: number; readonly changed: number }> {
  rmSync(site.state, { recursive: true, force: true })
  const nothing = readDelivery(await demandDelivered(site))
  if (nothing.stored > 0 || nothing.bytes > 0)
    fail([`without state ${nothing.stored} equal objects were sent, ${nothing.bytes} bytes`])
  rmSync(site.state, { recursive: true, force: true })
  site.shop.editFirst(changed)
  const few = readDelivery(await demandDelivered(site))
  if (few.stored !== changed)
    fail([`without state ${few.stored} objects were sent of ${changed} changed ones`])
  site.shop.editFirst(site.shop.ids.length)
  const all = readDelivery(await demandDelivered(site))
  await checkSite(site)
  return { all: all.bytes, changed: few.bytes }
}

export async function demandDelivered(site: DeliverySite): Promise<Delivered> {
  const delivered = await site.deliver()
  if (delivered.exit !== 0)
    fail([`the delivery ended with ${delivered.exit}: ${delivered.words.slice(-1_000)}`])
  return delivered
}

function readDelivery({ report }: Delivered): { readonly stored: number; readonly bytes: number } {
  return report?.delivery ?? { stored: 0, bytes: 0 }
}
