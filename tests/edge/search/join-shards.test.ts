import { expect, it } from 'vitest'
import { NOTHING_FOUND } from '../../../src/domain/search/search-answer.ts'
import { MAX_UPDATES, placeSellers } from '../../../src/domain/search/search-index.ts'
import { divide } from '../../../src/domain/work/batches.ts'
import { joinShards } from '../../../src/edge/search/join-shards.ts'
import { putEntries } from '../../../scripts/prove/search/memory-index.ts'
import { createRandom } from '../../../scripts/measure/random.ts'
import { createEntry, createProduct } from '../../support/search/search-entries.ts'
import { BROKEN_SHARD, COMPARED, createMemoryIndex } from '../../support/search/search-index.ts'

const sell = (seller: string, name = 'Eros') =>
  [seller, createEntry(seller, 'Tienda', [createProduct('p', name)])] as const

it('four shards answer as one does', async () => {
  const random = createRandom(7)
  const words = ['Angel', 'Angelus', 'Mangel', 'Bleu', 'Eros', 'EDP', '100 ml', 'Chanel', 'Rosa'] as const
  const entries = Array.from({ length: 150 }, (_, number) => {
    const products = Array.from({ length: number < 3 ? 50 : 1 + random.below(5) }, (__, index) =>
      createProduct(`p${index}`, `${random.pick(words)} ${random.pick(words)}`, {
        price: 10 * random.below(20),
        available: random.chance(0.7),
      }),
    )
    return [`s${number}`, createEntry(`s${number}`, `Rosa ${random.pick(words)}`, products)] as const
  })
  const [one, four] = [createMemoryIndex(1), createMemoryIndex(4)]
  for (const index of [one, four])
    for (const part of divide(entries, MAX_UPDATES))
      expect(new Set(await putEntries(index, part))).toEqual(new Set(['stored']))
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
  const index = createMemoryIndex(4)
  await putEntries(index, [sell('ana', 'Chanel'), sell('bea', 'Channel'), sell('caro', 'Chanal')])
  const found = (await index.search('channel')).products.map(({ product }) => product.name)
  expect(found).toEqual(['Channel'])
  const near = (await index.search('chanzl')).products.map(({ product }) => product.name)
  expect(near.toSorted()).toEqual(['Chanal', 'Chanel'])
})

it('tags and outcomes come in the order of the sellers', async () => {
  const index = createMemoryIndex(3)
  const sellers = ['ana', 'bea', 'caro', 'dulce', 'eva']
  await putEntries(index, [sell('bea'), sell('dulce')])
  const { tags } = await index.see(sellers)
  await putEntries(index, [sell('bea'), sell('dulce')])
  const see = async (): ReturnType<typeof index.see> => ({ life: '', tags })
  const put = putEntries(
    { ...index, see },
    sellers.map((seller) => sell(seller)),
  )
  expect(await put).toEqual(['stored', 'beaten', 'stored', 'beaten', 'stored'])
  const [ana] = await placeSellers(['ana'])
  const listed = await index.openBucket(ana?.bucket ?? 0).listSellers(ana?.bucket ?? 0, null)
  expect(listed.map(({ seller }) => seller)).toContain('ana')
})

it('has another life after one shard was emptied, and for each number of shards', async () => {
  const { shards } = createMemoryIndex(3)
  const open = (all: typeof shards): ReturnType<typeof joinShards> =>
    joinShards({ shards: all, log: () => {} })
  const lives = await Promise.all(
    [shards, shards, shards.slice(1), [...shards.slice(1), ...createMemoryIndex(1).shards]].map(
      async (all) => [(await open(all).see(['ana'])).life, (await open(all).readState()).life] as const,
    ),
  )
  expect(lives.every(([seen, read]) => seen === read)).toBe(true)
  expect(new Set(lives.map(([life]) => life)).size).toBe(3)
})

it('answers without a shard that fails, and logs nothing of the query', async () => {
  const lines: string[] = []
  const index = createMemoryIndex(1, { lines, last: [BROKEN_SHARD] })
  expect(await index.search('eros')).toEqual(NOTHING_FOUND)
  expect(lines).toEqual(['search: 1 of 2 shards failed to answer a search'])
  await expect(createMemoryIndex(0, { last: [BROKEN_SHARD] }).search('eros')).rejects.toThrow('no shard')
})

it('asks no shard for a query without words', async () => {
  expect(await createMemoryIndex(0, { last: [BROKEN_SHARD] }).search(' "*" ')).toEqual(NOTHING_FOUND)
})

it('sums up what its shards hold and have noted', async () => {
  const index = createMemoryIndex(3)
  await putEntries(
    index,
    ['ana', 'bea', 'caro', 'dulce'].map((seller) => sell(seller)),
  )
  const counted = { shards: 3, sellers: 4, products: 4 }
  expect(await index.readState()).toMatchObject({ ...counted, compared: null, repaired: 0, unfed: 0 })
  const { epoch } = await index.begin()
  await index.noteCompared({ epoch, repaired: 7 })
  expect(await index.readState()).toMatchObject({ ...counted, compared: COMPARED, repaired: 7, unfed: 0 })
})
