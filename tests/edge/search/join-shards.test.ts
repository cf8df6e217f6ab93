import { expect, it } from 'vitest'
import { NOTHING_FOUND } from '../../../src/domain/search/search-answer.ts'
import { createUpdate } from '../../../src/domain/search/search-index.ts'
import { joinShards } from '../../../src/edge/search/join-shards.ts'
import { createRandom } from '../../../scripts/measure/random.ts'
import { createEntry, createProduct } from '../../support/search/search-entries.ts'
import { BROKEN_SHARD, COMPARED, createMemoryIndex } from '../../support/search/search-index.ts'

it('four shards answer as one does', async () => {
  const random = createRandom(7)
  const words = ['Angel', 'Angelus', 'Mangel', 'Bleu', 'Eros', 'EDP', '100 ml', 'Chanel', 'Rosa'] as const
  const updates = await Promise.all(
    Array.from({ length: 150 }, (_, number) => {
      const products = Array.from({ length: number < 3 ? 50 : 1 + random.below(5) }, (__, index) =>
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
  const [one, four] = [createMemoryIndex(1), createMemoryIndex(4)]
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
  const index = createMemoryIndex(4)
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
  const index = createMemoryIndex(3)
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
  const index = createMemoryIndex(1, lines, [BROKEN_SHARD])
  expect(await index.search('eros')).toEqual(NOTHING_FOUND)
  expect(lines).toEqual(['search: 1 of 2 shards failed'])
  await expect(createMemoryIndex(0, lines, [BROKEN_SHARD]).search('eros')).rejects.toThrow('no shard')
})

it('asks no shard for a query without words', async () => {
  expect(await createMemoryIndex(0, [], [BROKEN_SHARD]).search(' "*" ')).toEqual(NOTHING_FOUND)
})

it('sums up what its shards hold and have noted, and what one cannot note another does', async () => {
  const index = createMemoryIndex(3)
  const sell = (seller: string) =>
    createUpdate(seller, createEntry(seller, 'Tienda', [createProduct('p', 'Eros')]), { sequence: 1 })
  await index.update(await Promise.all(['ana', 'bea', 'caro', 'dulce'].map(sell)))
  await index.noteUnfed(2)
  const counted = { shards: 3, sellers: 4, products: 4 }
  expect(await index.readState()).toEqual({ ...counted, compared: null, repaired: 0, unfed: 2 })
  await index.noteCompared({ repaired: 7, since: Date.now() + 1, floor: 0 })
  expect(await index.readState()).toEqual({ ...counted, compared: COMPARED, repaired: 7, unfed: 0 })
  // What could not be updated while the comparison ran is noted still.
  await index.noteUnfed(1)
  await index.noteCompared({ repaired: 0, since: Date.now() - 60_000, floor: 0 })
  expect(await index.readState()).toMatchObject({ unfed: 1 })
  const { shards } = createMemoryIndex(1)
  const [shard] = shards
  await joinShards({ shards: [BROKEN_SHARD, ...shards], log: () => {} }).noteUnfed(1)
  expect(await shard?.readNotes()).toMatchObject({ unfed: 1 })
})
