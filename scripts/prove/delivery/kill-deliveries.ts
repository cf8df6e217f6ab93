/** Kills `rebuild --deploy` at random instants, runs it again, and compares the site with a clean build. */
import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { createRandom } from '../../measure/random.ts'
import { fail } from '../difference.ts'
import { checkDeliveredSite } from './check-site.ts'
import type { BuilderEnd } from '../../local/run-builder.ts'
import type { DeliverySite, Killing } from './delivery-site.ts'

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

/** Pause between two looks at the store, in milliseconds. */
const LOOK = 3
/** Share of kills at a time after the start of the command. The others follow a write of the store. */
const BY_TIME = 0.3

export async function killDeliveries(site: DeliverySite, options: KillOptions): Promise<KillFigures> {
  const { kills, seed, progress } = options
  const random = createRandom(seed)
  site.shop.edit(random)
  await demandDelivered(site)
  let usual = 0
  const figures = { kills: 0, late: 0, partial: 0 }
  for (; figures.kills < kills; figures.kills += 1) {
    progress(`${figures.kills} of ${kills} kills`)
    site.shop.edit(random)
    await site.setStore(false)
    let stored = 0
    const countStored = async (): Promise<number> => (stored += (await site.setStore(false)).writes)
    const kill = random.chance(usual === 0 ? 0 : BY_TIME)
      ? killAfter(random.below(Math.ceil(usual)))
      : killAt(1 + random.below(site.shop.ids.length / 2), countStored)
    const { exit } = await site.deliver(kill)
    if (exit !== null) figures.late += 1
    else if ((await countStored()) > 0) figures.partial += 1
    usual = (await demandDelivered(site)).ms
    await checkDeliveredSite(site)
  }
  return figures
}

function killAfter(time: number): Killing {
  return async (signal) => {
    await wait(time, undefined, { signal }).catch(() => {})
  }
}

/** Kills when `count` objects are stored. */
function killAt(count: number, countStored: () => Promise<number>): Killing {
  return async (signal) => {
    while (!signal.aborted && (await countStored()) < count) await wait(LOOK)
  }
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
  await checkDeliveredSite(site)
  return { all: all.bytes, changed: few.bytes }
}

export async function demandDelivered(site: DeliverySite): Promise<BuilderEnd> {
  const delivered = await site.deliver()
  if (delivered.exit !== 0) fail([`the delivery ended with ${delivered.exit}: ${delivered.words}`])
  return delivered
}

function readDelivery({ report }: BuilderEnd): { readonly stored: number; readonly bytes: number } {
  return report?.delivery ?? { stored: 0, bytes: 0 }
}
