/**
 * Measures how much a hostile seller among 60 slows the search: the same queries run on a site with and on a site
 * without that seller.
 */
import { join } from 'node:path'
import { rmSync } from 'node:fs'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import { findMedian, takeTurns, time } from '../../measure/times.ts'
import type { Random } from '../../measure/random.ts'
import { createRandom } from '../../measure/random.ts'
import { PERFUMES } from '../sample-names.ts'
import { createQueries, createSellerUpdate, createSellerUpdateOf } from './search-sellers.ts'
import type { BenchSearchSite } from './search-site.ts'
import { startSearchSite } from './search-site.ts'

interface HostileSellerOptions {
  /** Number of queries of each kind that are sent after each attack. */
  readonly rounds: number
  /** Temporary folder; removed at the end. */
  readonly folder: string
  readonly progress: (text: string) => void
}

/** Median query times in milliseconds, without and with the hostile seller on the site. */
export interface HostileSellerFigures {
  readonly attack: string
  readonly without: number
  readonly withHer: number
}

const HONEST = 59
const HER = 'hostile-seller'

type Fields = Readonly<Record<string, unknown>>

interface Attack {
  readonly products: number
  readonly create: (random: Random, index: number) => Fields
}

/** Products of the hostile seller, by attack. Each attack replaces the products of the previous one. */
const ATTACKS: Readonly<Record<string, Attack>> = {
  'names that look like markers in the site’s own HTML': {
    products: 300,
    create: (_, index) => ({ name: `<!--apart:${index}--> eau de parfum` }),
  },
  'photo addresses of maximum length': {
    products: 1_500,
    create: (_, index) => ({ name: `Frasco ${index}`, photo: `https://a.example/${'a'.repeat(1_950)}` }),
  },
  'names of random words': {
    products: 1_000,
    create: (random) => ({ name: Array.from({ length: 30 }, () => random.id(12)).join(' ') }),
  },
  'cheap copies of what others sell': {
    products: 300,
    create: (random) => ({
      name: `${random.pick(PERFUMES)} eau de parfum EDP 100 ml`,
      price: 1,
      available: true,
    }),
  },
  'most of these copies deleted': {
    products: 3,
    create: (_, index) => ({ name: `Frasco ${index} eau de parfum` }),
  },
}

export async function measureHostileSeller(
  options: HostileSellerOptions,
): Promise<readonly HostileSellerFigures[]> {
  const { folder, progress } = options
  const sites: BenchSearchSite[] = []
  try {
    for (const name of ['without', 'with']) {
      const site = await startSearchSite(join(folder, name), 1)
      sites.push(site)
      await site.update(
        await Promise.all(Array.from({ length: HONEST }, (_, index) => createSellerUpdate(index + 1, 1))),
      )
    }
    const figures: HostileSellerFigures[] = []
    for (const [index, [attack, made]] of Object.entries(ATTACKS).entries()) {
      progress(`a hostile seller: ${attack}`)
      await sites[1]?.update([await createSellerUpdateOf(HER, createProducts(made), index + 1)])
      figures.push({ attack, ...(await timeInTurns(sites, options)) })
    }
    return figures
  } finally {
    for (const site of sites) await site.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function createProducts({ products, create }: Attack): readonly SourceDocument[] {
  const random = createRandom(products)
  return Array.from({ length: products }, (_, index) => ({
    collection: 'cataloge',
    id: `h${index}`,
    updateTime: null,
    data: { price: 1_500 + index, available: true, ...create(random, index), owner: { id: HER } },
  }))
}

/** Sends each query to both sites, one after the other. */
async function timeInTurns(
  sites: readonly BenchSearchSite[],
  { rounds }: HostileSellerOptions,
): Promise<Omit<HostileSellerFigures, 'attack'>> {
  const queries = (['usual', 'everywhere'] as const).flatMap((kind) => createQueries(kind, rounds))
  const times = await takeTurns(sites, queries.length, (site, turn) =>
    time(() => site.search(queries[turn] ?? '')),
  )
  const [without = Number.NaN, withHer = Number.NaN] = times.map(findMedian)
  return { without, withHer }
}
