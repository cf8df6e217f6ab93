/** A site whose Worker has meters, and bills: what a change costs, and at which price. */
import { join } from 'node:path'
import { vi } from 'vitest'
import type { Bill } from '../../support/edge/prices.ts'
import { BILLED, priceMillion } from '../../support/edge/prices.ts'
import { ROOT } from '../../../src/builder/state/project-folder.ts'
import { CoordinatedSite } from './coordinated-site.ts'

/** Longer than any lease. */
const LEASE = 20 * 60_000
export const ENTRY = join(ROOT, 'tests/support/edge/workers/billed-entry.ts')

type Variables = Readonly<Record<string, string>>

/** `configuration` is that of a site of objects; default the project's own. */
export async function openBilledSite(variables: Variables, configuration?: string): Promise<CoordinatedSite> {
  const site = new CoordinatedSite(variables, {
    entry: ENTRY,
    ...(configuration !== undefined && { configuration }),
  })
  await site.start()
  return site
}

export const readBill = async (site: CoordinatedSite): Promise<Bill> =>
  (await site.send('/test/bill', {})).body as unknown as Bill

/**
 * Returns what the second change costs, up to the end of all leases. A builder in this process renews its lease only
 * before it publishes: a renewal each minute would make the bill depend on the speed of the machine.
 */
export async function countChange(
  site: CoordinatedSite,
  change: (price: number) => Promise<void>,
): Promise<Bill> {
  await change(700)
  await site.pass(LEASE)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    return await bill(site, async () => {
      await change(900)
      await site.pass(LEASE)
    })
  } finally {
    vi.useRealTimers()
  }
}

export async function bill(site: CoordinatedSite, work: () => Promise<unknown>): Promise<Bill> {
  const before = await readBill(site)
  await work()
  return subtract(await readBill(site), before)
}

export function subtract(after: Bill, before: Bill): Bill {
  const counts = Object.entries(after).map(([name, number]) => [name, number - before[name as keyof Bill]])
  return Object.fromEntries(counts) as Bill
}

export const ROWS_READ = 'rows read at most'
export const COLUMNS = [
  'requests',
  'calls of objects',
  'rows written',
  ROWS_READ,
  'R2 class A',
  'R2 class B',
  'queue operations',
]

export const listCells = (counts: Bill): readonly string[] => BILLED.map((name) => String(counts[name]))

export function formatBillPrice(counts: Bill): string {
  return `${priceMillion(counts).toFixed(2)} US$`
}
