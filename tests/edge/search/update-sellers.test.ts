/** Sellers are replaced in small transactions, between which searches are answered. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { SearchEntry } from '../../../src/domain/search/search-entry.ts'
import type { SearchIndex, UpdateOutcome } from '../../../src/domain/search/search-index.ts'
import { createUpdate, MAX_UPDATES } from '../../../src/domain/search/search-index.ts'
import { openShard } from '../../../src/edge/search/open-shard.ts'
import { MAX_SELLER_WORDS } from '../../../src/edge/search/shard-documents.ts'
import type { Random } from '../../../scripts/measure/random.ts'
import { createRandom } from '../../../scripts/measure/random.ts'
import { countWords, putSeller, searchStorage, seeTag } from '../../support/search/search-index.ts'
import type { MemoryStorage } from '../../../scripts/prove/search/memory-index.ts'
import { createStorage } from '../../../scripts/prove/search/memory-index.ts'
import { createEntry, createProduct } from '../../support/search/search-entries.ts'

/** Max rows that a Durable Object may write at once. */
const MOST_ROWS = 2_000
/** In bytes. */
const LARGEST_TEXT = 1_000_000

let storage: MemoryStorage
let shard: SearchIndex
/** Called when the shard lets other events in. */
let meanwhile: () => void
/** Rows written between two pauses. */
let rows: number[]
beforeEach(async () => {
  storage = createStorage()
  rows = []
  meanwhile = () => {}
  shard = open(storage)
  await putSeller(shard, 'ana', sell('ana', ['Eros']))
})

function open(opened: MemoryStorage, pause?: () => Promise<void>): SearchIndex {
  let changes = opened.countChanges()
  return openShard(opened, {
    pause: async () => {
      rows.push(opened.countChanges() - changes)
      changes = opened.countChanges()
      meanwhile()
      await pause?.()
    },
  })
}

function sell(seller: string, names: readonly string[]): SearchEntry {
  const products = names.map((name, index) => createProduct(`p${String(index).padStart(4, '0')}`, name))
  return createEntry(seller, `Tienda ${seller}`, products)
}

/** Creates names of unique words, as long as the index searches within words. */
function createHostile(random: Random, count: number): SearchEntry {
  const createWord = (): string =>
    Array.from({ length: 16 }, () => String.fromCharCode(97 + random.below(26))).join('')
  const names = Array.from({ length: count }, () => Array.from({ length: 29 }, createWord).join(' '))
  return sell('eva', names)
}

const find = (query: string): readonly string[] =>
  searchStorage(storage, query).products.map(({ product }) => product.name)

/** Returns ids and names of a seller's products that are in the index. */
function listProducts(seller: string): readonly (readonly [id: string, name: string])[] {
  return storage.sql
    .exec(
      `SELECT value ->> '$.product.id' AS id, value ->> '$.product.name' AS name FROM documents
      WHERE key >= 0 AND value ->> '$.seller.id' = ? ORDER BY id`,
      seller,
    )
    .toArray()
    .map((row) => {
      const { id, name } = row as { readonly id: string; readonly name: string }
      return [id, name]
    })
}

describe('a seller of many words', () => {
  const random = createRandom(5)
  const [first, second] = [createHostile(random, 60), createHostile(random, 60)]
  const put = (entry: SearchEntry | null, seen?: string): Promise<UpdateOutcome> =>
    putSeller(shard, 'eva', entry, seen)

  it('is replaced in transactions of few rows, between which searches are answered', async () => {
    const found: (readonly string[])[] = []
    meanwhile = () => found.push(find('eros'))
    for (const entry of [first, second, null]) expect(await put(entry)).toBe('stored')
    expect(Math.max(...rows)).toBeLessThanOrEqual(MOST_ROWS)
    // No more pauses than are needed: a transaction costs more than its rows.
    expect(Math.max(...rows)).toBeGreaterThan(MOST_ROWS / 2)
    expect(found.length).toBeGreaterThan(20)
    expect(new Set(found.flat())).toEqual(new Set(['Eros']))
  })

  it('shows each product as it was or as it is, at any time once', async () => {
    await put(first)
    const [old, fresh] = [first, second].map(({ products }) => products.map(({ product }) => product.name))
    let mixed = 0
    meanwhile = () => {
      const products = listProducts('eva')
      expect(products.map(([id]) => id)).toEqual(second.products.map(({ product }) => product.id))
      products.forEach(([, name], index) => expect([old?.[index], fresh?.[index]]).toContain(name))
      const replaced = products.filter(([, name], index) => name === fresh?.[index]).length
      mixed += Number(replaced > 0 && replaced < products.length)
      const [, name = ''] = products[30] ?? []
      expect(find(name.split(' ').slice(0, 3).join(' '))).toEqual([name])
    }
    await put(second)
    expect(mixed).toBeGreaterThan(10)
    expect(listProducts('eva').map(([, name]) => name)).toEqual(fresh)
  })

  it('who was interrupted differs in a comparison, and is repaired by an update that sees her now', async () => {
    await put(first)
    const seen = await seeTag(shard, 'eva')
    const { bucket, seller, digest } = await createUpdate('eva', second, seen)
    // The object is reset at its first pause.
    await new Promise<void>((resolve) => {
      const reset = open(storage, () => new Promise(() => resolve()))
      void putSeller(reset, 'eva', second, seen)
    })
    const [listed] = (await shard.listSellers(bucket, null)).filter((row) => row.seller === seller)
    expect([(await createUpdate('eva', first, '')).digest, digest, null]).not.toContain(listed?.digest)
    shard = open(storage)
    expect(await put(second, seen)).toBe('beaten')
    expect(await put(second)).toBe('stored')
    expect(await shard.listSellers(bucket, null)).toContainEqual({ seller, digest })
    expect(listProducts('eva').map(([, name]) => name)).toEqual(
      second.products.map(({ product }) => product.name),
    )
  })

  it('is replaced by one of two updates that saw the same, although the second was sent before the first ended', async () => {
    const seen = await seeTag(shard, 'eva')
    const updates = await Promise.all([first, second, null].map((entry) => createUpdate('eva', entry, seen)))
    const [one, other, last] = updates.map((update) => shard.update([update]))
    expect([await one, await other, await last]).toEqual([['stored'], ['beaten'], ['beaten']])
    expect(listProducts('eva')).toHaveLength(60)
    expect(await put(null)).toBe('stored')
    expect(listProducts('eva')).toEqual([])
    expect(await shard.readState()).toMatchObject({ sellers: 1, products: 1 })
    expect(countWords(storage)).toBe(3)
  })

  it('is put to the end before the update of another seller begins, who may want the same keys', async () => {
    const updates = [
      await createUpdate('eva', first, await seeTag(shard, 'eva')),
      await createUpdate('bea', sell('bea', ['Dior']), await seeTag(shard, 'bea')),
    ]
    const ended: string[] = []
    const puts = updates.map((update, at) =>
      shard.update([update]).then(() => ended.push(at === 0 ? 'eva' : 'bea')),
    )
    await Promise.all(puts)
    expect(ended).toEqual(['eva', 'bea'])
  })

  it('is not put any further once a comparison begins, and differs in it', async () => {
    let pauses = 0
    let comparison: ReturnType<SearchIndex['begin']> | undefined
    meanwhile = () => {
      pauses += 1
      if (pauses === 2) comparison = shard.begin('one')
    }
    expect(await put(first)).toBe('beaten')
    const { bucket } = await createUpdate('eva', null, '')
    expect((await comparison)?.buckets.map((listed) => listed.bucket)).toContain(bucket)
  })
})

it('a seller has so many distinct words, those of her first products, and the others are found by them', async () => {
  const random = createRandom(9)
  const createWord = (): string => random.id(12).replaceAll(/\d/g, 'n')
  const names = Array.from({ length: 300 }, () =>
    ['Eros', ...Array.from({ length: 20 }, createWord)].join(' '),
  )
  await putSeller(shard, 'eva', sell('eva', names))
  expect(countWords(storage)).toBeLessThanOrEqual(MAX_SELLER_WORDS + 3)
  expect(find(names[0] ?? '')).toEqual([names[0]])
  expect(find(names.at(-1) ?? '')).toEqual([])
  expect(find('eros')).toHaveLength(30)
  expect(listProducts('eva')).toHaveLength(300)
})

it('many products of few words are stored in transactions of few rows', async () => {
  const names = Array.from({ length: 1_500 }, () => 'Dior Homme')
  await putSeller(shard, 'eva', sell('eva', names))
  expect(Math.max(...rows)).toBeLessThanOrEqual(MOST_ROWS)
  expect(listProducts('eva')).toHaveLength(1_500)
})

it('merges segments of the full-text index now and then: each costs queries time, and a merge a row', async () => {
  const merges = (): number => statements.filter((query) => query.includes("'merge'")).length
  const statements: string[] = []
  const exec: MemoryStorage['sql']['exec'] = (query, ...bindings) => {
    statements.push(query)
    return storage.sql.exec(query, ...bindings)
  }
  const counted = openShard({ ...storage, sql: { exec } })
  const put = (price: number): Promise<UpdateOutcome> =>
    putSeller(counted, 'bea', createEntry('bea', 'Bea', [createProduct('p', 'Eros', { price })]))
  // It takes a random number for the rows that were written before it was started.
  for (let price = 1; price <= 40; price += 1) expect(await put(price)).toBe('stored')
  expect(merges()).toBeGreaterThan(1)
  expect(merges()).toBeLessThan(8)
})

it('many sellers of one call are stored in transactions of few rows', async () => {
  const names = Array.from({ length: 100 }, (_, index) => `Dior ${index} Homme EDP 100 ml`)
  const updates = await Promise.all(
    Array.from({ length: MAX_UPDATES }, async (_, at) =>
      createUpdate(`s${at}`, sell(`s${at}`, names), await seeTag(shard, `s${at}`)),
    ),
  )
  const found: number[] = []
  meanwhile = () => found.push(find('eros').length)
  await shard.update(updates)
  expect(Math.max(...rows)).toBeLessThanOrEqual(MOST_ROWS)
  expect(found.length).toBeGreaterThan(5)
})

it('no statement has more text than a Durable Object takes', async () => {
  const lengths: number[] = []
  const exec: MemoryStorage['sql']['exec'] = (query, ...bindings) => {
    for (const one of bindings) if (typeof one === 'string') lengths.push(Buffer.byteLength(one))
    return storage.sql.exec(query, ...bindings)
  }
  const measured = openShard({ ...storage, sql: { exec } })
  const photo = `https://photos.example/${'香'.repeat(6_000)}`
  const products = Array.from({ length: 200 }, (_, index) => createProduct(`p${index}`, 'Eros', { photo }))
  expect(await putSeller(measured, 'eva', createEntry('eva', 'Eva', products))).toBe('stored')
  expect(find('eros')).toHaveLength(30)
  expect(Math.max(...lengths)).toBeLessThanOrEqual(LARGEST_TEXT)
})
