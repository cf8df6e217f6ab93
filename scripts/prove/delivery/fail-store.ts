/** R2 fails for a while: what was read within the hour is shown, nothing is said to be gone, and afterwards all is right. */
import { setTimeout as wait } from 'node:timers/promises'
import { formatCataloguePath } from '../../../src/domain/pages/paths.ts'
import { fail } from '../difference.ts'
import { checkDeliveredSite } from './check-site.ts'
import type { DeliverySite } from './delivery-site.ts'
import { LANES } from './delivery-site.ts'
import { inLanes } from '../../../src/domain/work/batches.ts'
import { demandDelivered } from './kill-deliveries.ts'

/** Pause between two looks at every page, in milliseconds. */
const PAUSE = 500

/** Returns the number of answers during the failure. */
export async function failStore(site: DeliverySite, seconds: number): Promise<number> {
  const { origin, shop } = site
  // Some pages were read before, others were not.
  const known = shop.ids.slice(0, shop.ids.length / 2)
  shop.editFirst(shop.ids.length)
  await demandDelivered(site)
  await wait(1_100)
  const read = async (id: string): Promise<Response> => fetch(origin + formatCataloguePath(id))
  await inLanes(known, LANES, async (id) => void (await (await read(id)).text()))
  await site.setStore(true)
  shop.editFirst(3)
  const delivering = site.deliver()
  const problems = new Set<string>()
  let answers = 0
  for (const end = performance.now() + 1_000 * seconds; performance.now() < end; await wait(PAUSE))
    await inLanes(shop.ids, LANES, async (id) => {
      const response = await read(id)
      await response.text()
      answers += 1
      const isKnown = known.includes(id)
      const isGood = isKnown ? response.status === 200 : [200, 503].includes(response.status)
      if (!isGood) problems.add(`${id}, ${isKnown ? '' : 'not '}read before, answers ${response.status}`)
    })
  await site.setStore(false)
  await delivering
  fail([...problems].slice(0, 5))
  await demandDelivered(site)
  await checkDeliveredSite(site)
  return answers
}
