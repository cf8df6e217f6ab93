/** Compares what visitors get with a clean build of the same data. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { formatCatalogueFile, formatCataloguePath } from '../../../src/domain/pages/paths.ts'
import { fail } from '../difference.ts'
import type { DeliverySite } from './delivery-site.ts'
import { LANES } from './delivery-site.ts'
import { inLanes } from '../../../src/domain/work/batches.ts'

/** Until every page is read again: longer than `EDGE_MAX_AGE`, in milliseconds. */
const AGE = 1_100

/** Throws a `Difference` if a page is missing, wrong, doubled or left behind. */
export async function checkDeliveredSite({ origin, shop, build }: DeliverySite): Promise<void> {
  const clean = await build()
  await wait(AGE)
  const problems: string[] = []
  const present: string[] = []
  await inLanes(shop.ids, LANES, async (id) => {
    const file = join(clean, formatCatalogueFile(id))
    const wanted = existsSync(file) ? readFileSync(file) : null
    const response = await fetch(origin + formatCataloguePath(id))
    const bytes = Buffer.from(await response.arrayBuffer())
    if (wanted !== null) present.push(id)
    if (response.status !== (wanted === null ? 404 : 200)) problems.push(`${id} answers ${response.status}`)
    else if (wanted !== null && !bytes.equals(wanted)) problems.push(`${id} shows another page`)
  })
  const home = await (await fetch(origin)).text()
  if (home !== readFileSync(join(clean, 'index.html'), 'utf8')) problems.push('the home page is another')
  const { sellers } = (await (await fetch(`${origin}/estado.json`)).json()) as { sellers: number }
  if (sellers !== present.length)
    problems.push(`the coordinator counts ${sellers} of ${present.length} sellers`)
  fail(problems.slice(0, 5))
}
