import { expect, it } from 'vitest'
import { NOTHING_FOUND } from '../../../src/domain/search/search-answer.ts'
import type { SearchIndex } from '../../../src/domain/search/search-index.ts'
import { createUpdate } from '../../../src/domain/search/search-index.ts'
import type { JoinedIndex } from '../../../src/edge/search/join-shards.ts'
import { joinShards } from '../../../src/edge/search/join-shards.ts'
import { createRandom } from '../../../scripts/measure/random.ts'
import { createMemoryIndex } from '../../support/memory-index.ts'
import { createEntry, createProduct } from '../../support/search-entries.ts'

const broken = async (): Promise<never> => {
  throw new Error('eros')
}
const BROKEN: SearchIndex = {
  update: broken,
  find: broken,
  digestBuckets: broken,
  listSellers: broken,
  count: broken,
  clear: broken,
}

function join(count: number, lines: string[] = [], last: readonly SearchIndex[] = []): JoinedIndex {
  const shards = Array.from({ length: count }, () => createMemoryIndex())
  return joinShards({ shards: [...shards, ...last], log: (line) => lines.push(line) })
}

it('four shards answer as one does', async () => {
  const random = createRandom(7)
  const words = ['Angel', 'Angelus', 'Mangel', 'Bleu', 'Eros', 'EDP', '100 ml', 'Chanel', 'Rosa'] as const
  const updates = await Promise.all(
    Array.from({ length: 150 }, (_, number) => {
      const products = Array.from({ length: 1 + random.below(5) }, (__, index) =>
        createProduct(`p${index}`, `${random.pick(words)} ${random.pick(words)}`, {
          price: 10 * random.below(20),
          available: random.chance(0.7),
        }),
      )
      return createUpdate(`s${number}`, createEntry(`s${number}`, `Rosa ${random.pick(words)}`, products), {
        sequence: 1,
      })
    }),
  )
  const [one, four] = [join(1), join(4)]
  expect(new Set(await one.update(updates))).toEqual(new Set(['stored']))
  expect(new Set(await four.update(updates))).toEqual(new Set(['stored']))
  for (const query of [
    'angel',
    'a',
    'bleu eros',
    'rosa',
    'rosa edp',
    'anjel',
    'chanl',
    'ngel',
    'nada',
    '',
    'rosita',
  ])
    expect(await four.search(query), query).toEqual(await one.search(query))
})

it('a misspelt word finds nothing beside what another shard finds as it is', async () => {
  const index = join(4)
  const sell = (seller: string, name: string) =>
    createUpdate(seller, createEntry(seller, 'Tienda', [createProduct('p', name)]), { sequence: 1 })
  await index.update(
    await Promise.all([sell('ana', 'Chanel'), sell('bea', 'Channel'), sell('caro', 'Chanal')]),
  )
  const found = (await index.search('channel')).products.map(({ product }) => product.name)
  expect(found).toEqual(['Channel'])
  const near = (await index.search('chanzl')).products.map(({ product }) => product.name)
  expect(near.toSorted()).toEqual(['Chanal', 'Chanel'])
})

it('outcomes come in the order of the updates', async () => {
  const index = join(3)
  const sellers = ['ana', 'bea', 'caro', 'dulce', 'eva']
  const create = (sequence: number) => (seller: string) =>
    createUpdate(seller, createEntry(seller, 'Tienda', [createProduct('p', 'Eros')]), { sequence })
  await index.update(await Promise.all(['bea', 'dulce'].map(create(5))))
  const updates = await Promise.all(sellers.map(create(4)))
  expect(await index.update(updates)).toEqual(['stored', 'late', 'stored', 'late', 'stored'])
  const [ana] = updates
  const listed = await index.openBucket(ana?.bucket ?? 0).listSellers(ana?.bucket ?? 0, null)
  expect(listed.map(({ seller }) => seller)).toContain('ana')
})

it('answers without a shard that fails, and logs nothing of the query', async () => {
  const lines: string[] = []
  const index = join(1, lines, [BROKEN])
  expect(await index.search('eros')).toEqual(NOTHING_FOUND)
  expect(lines).toEqual(['search: 1 of 2 shards failed'])
  await expect(join(0, lines, [BROKEN]).search('eros')).rejects.toThrow('no shard')
})

it('asks no shard for a query without words', async () => {
  expect(await join(0, [], [BROKEN]).search(' "*" ')).toEqual(NOTHING_FOUND)
})
