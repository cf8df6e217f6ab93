/** Random and impossible ids answer 404, write nothing, and impossible ones read nothing. Queries share one entry of the cache. */
import { createRandom } from '../../measure/random.ts'
import { fail } from '../difference.ts'
import type { DeliverySite } from './delivery-site.ts'
import { LANES } from './delivery-site.ts'
import { inLanes } from '../../../src/domain/work/batches.ts'

// `404` alone is the address of a file of the assets.
const IMPOSSIBLE = [
  'index',
  '%2E%2E%2Fx',
  'a%00b',
  'a%5Cb',
  'node_modules',
  'a%2Fb%2Fc',
  '.git',
  'x'.repeat(300),
  '%0Aa',
]

export interface AskFigures {
  readonly asked: number
  /** Reads of the store that ids of no seller cost; each is asked for once. */
  readonly reads: number
}

/** Half of the ids are impossible. */
export async function askStrangeIds(
  site: DeliverySite,
  { ids, seed }: { readonly ids: number; readonly seed: number },
): Promise<AskFigures> {
  const random = createRandom(seed)
  const half = Math.ceil(ids / 2)
  const impossible = Array.from({ length: half }, (_, index) => {
    const [first = '', ...rest] = IMPOSSIBLE
    const id = random.pick([first, ...rest])
    return `/catalogo/${id}${random.chance(0.3) ? `/${random.id(4)}` : ''}?n=${index}`
  })
  const possible = Array.from({ length: ids - half }, () => `/catalogo/${random.id(12)}`)
  await site.setStore(false)
  await askAll(site, impossible)
  const none = await site.setStore(false)
  await askAll(site, possible)
  const some = await site.setStore(false)
  await askQueries(site, Math.min(ids, 200))
  const shared = await site.setStore(false)
  const problems = [
    ...(none.reads > 0 ? [`impossible ids cost ${none.reads} reads`] : []),
    ...(some.reads > possible.length ? [`${possible.length} ids cost ${some.reads} reads`] : []),
    ...([none, some, shared].some(({ writes }) => writes > 0) ? ['a view has written'] : []),
  ]
  fail(problems)
  return { asked: impossible.length + possible.length, reads: some.reads }
}

async function askAll({ origin }: DeliverySite, paths: readonly string[]): Promise<void> {
  const wrong = new Set<string>()
  await inLanes(paths, LANES, async (path) => {
    const response = await fetch(origin + path)
    await response.text()
    if (response.status !== 404) wrong.add(`${path} answers ${response.status}`)
  })
  fail([...wrong].slice(0, 5))
}

/** The same page with other queries is read once in each second, for which it is fresh. */
async function askQueries(site: DeliverySite, count: number): Promise<void> {
  const [id = ''] = site.shop.ids
  await site.setStore(false)
  const start = performance.now()
  for (let query = 0; query < count; query += 1) {
    const response = await fetch(`${site.origin}/catalogo/${id}?filtro=${query % 3}&x=${query}`)
    await response.text()
    if (response.status !== 200) fail([`a page with a query answers ${response.status}`])
  }
  const most = 1 + Math.ceil((performance.now() - start) / 1_000)
  const { reads } = await site.setStore(false)
  if (reads > most) fail([`${count} queries of one page cost ${reads} reads instead of at most ${most}`])
}
