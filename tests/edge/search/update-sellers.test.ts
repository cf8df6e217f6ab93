/** Sellers are replaced in small transactions, between which searches are answered. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { SearchEntry } from '../../../src/domain/search/search-entry.ts'
import type { SellerUpdate } from '../../../src/domain/search/search-index.ts'
import { createUpdate, MAX_UPDATES } from '../../../src/domain/search/search-index.ts'
import { parseQuery } from '../../../src/domain/search/words.ts'
import { mergeFound } from '../../../src/edge/search/merge-found.ts'
import type { Shard } from '../../../src/edge/search/open-shard.ts'
import { openShard } from '../../../src/edge/search/open-shard.ts'
import { MAX_SELLER_WORDS } from '../../../src/edge/search/shard-documents.ts'
import type { Random } from '../../../scripts/measure/random.ts'
import { createRandom } from '../../../scripts/measure/random.ts'
import { countWords } from '../../support/search/search-index.ts'
import type { MemoryStorage } from '../../../scripts/prove/search/shard-storage.ts'
import { createStorage } from '../../../scripts/prove/search/shard-storage.ts'
import { createEntry, createProduct } from '../../support/search/search-entries.ts'

/** What a Durable Object may write at once. */
const MOST_ROWS = 2_000
/** In bytes. */
const LARGEST_TEXT = 1_000_000

let storage: MemoryStorage
let shard: Shard
/** Called when the shard lets other events in. */
let meanwhile: () => void
/** Rows written between two pauses. */
let rows: number[]
beforeEach(async () => {
  storage = createStorage()
  rows = []
  meanwhile = () => {}
  shard = open(storage)
  await shard.update([await createUpdate('ana', sell('ana', ['Eros']), { sequence: 1 })])
})

function open(opened: MemoryStorage, pause?: () => Promise<void>): Shard {
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

/** Names of words that nobody else has, as long as the index looks inside of them. */
function createHostile(random: Random, count: number): SearchEntry {
  const createWord = (): string =>
    Array.from({ length: 16 }, () => String.fromCharCode(97 + random.below(26))).join('')
  const names = Array.from({ length: count }, () => Array.from({ length: 29 }, createWord).join(' '))
  return sell('eva', names)
}

const find = (query: string): readonly string[] =>
  mergeFound([shard.find(parseQuery(query))]).products.map(({ product }) => product.name)

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
  let updates: readonly SellerUpdate[]
  beforeEach(async () => {
    updates = [
      await createUpdate('eva', first, { sequence: 1 }),
      await createUpdate('eva', second, { sequence: 2 }),
      await createUpdate('eva', null, { sequence: 3 }),
    ]
  })

  it('is replaced in transactions of few rows, between which searches are answered', async () => {
    const found: (readonly string[])[] = []
    meanwhile = () => found.push(find('eros'))
    expect(await shard.update(updates)).toEqual(['stored', 'stored', 'stored'])
    expect(Math.max(...rows)).toBeLessThanOrEqual(MOST_ROWS)
    // No more pauses than are needed: a transaction costs more than its rows.
    expect(Math.max(...rows)).toBeGreaterThan(MOST_ROWS / 2)
    expect(found.length).toBeGreaterThan(20)
    expect(new Set(found.flat())).toEqual(new Set(['Eros']))
  })

  it('shows each product as it was or as it is, at any time once', async () => {
    await shard.update(updates.slice(0, 1))
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
    await shard.update(updates.slice(1, 2))
    expect(mixed).toBeGreaterThan(10)
    expect(listProducts('eva').map(([, name]) => name)).toEqual(fresh)
  })

  it('who was interrupted is repaired by the same update, and by a comparison, not by an older update', async () => {
    const [one, other] = updates
    if (one === undefined || other === undefined) throw new Error('no update')
    await shard.update([one])
    // The object is reset.
    void open(storage, () => new Promise(() => {})).update([other])
    await new Promise((resolve) => void setTimeout(resolve, 0))
    const { bucket, seller, digest } = other
    const [listed] = shard.listSellers(bucket, null).filter((row) => row.seller === seller)
    expect(listed?.sequence).toBe(2)
    expect([one.digest, digest, null]).not.toContain(listed?.digest)
    shard = open(storage)
    expect(await shard.update([one])).toEqual(['late'])
    expect(await shard.update([other])).toEqual(['stored'])
    expect(shard.listSellers(bucket, null)).toContainEqual({ seller, sequence: 2, digest })
    expect(listProducts('eva').map(([, name]) => name)).toEqual(
      second.products.map(({ product }) => product.name),
    )
  })

  it('is removed whole, although the next update was sent before the last one ended', async () => {
    const [one, other, last] = updates.map((update) => shard.update([update]))
    expect([await one, await other, await last]).toEqual([['stored'], ['stored'], ['stored']])
    expect(listProducts('eva')).toEqual([])
    expect({ ...shard.count(), words: countWords(storage) }).toEqual({ sellers: 1, products: 1, words: 3 })
  })

  it('is not brought back after the shard was emptied', async () => {
    let clears = 0
    meanwhile = () => {
      if (clears === 0) shard.clear(Number.MAX_SAFE_INTEGER)
      clears += 1
    }
    expect(await shard.update(updates.slice(0, 1))).toEqual(['late'])
    expect([clears, shard.count(), countWords(storage)]).toEqual([1, { sellers: 0, products: 0 }, 0])
  })
})

it('a seller has so many distinct words, those of her first products, and the others are found by them', async () => {
  const random = createRandom(9)
  const createWord = (): string => random.id(12).replaceAll(/\d/g, 'n')
  const names = Array.from({ length: 300 }, () =>
    ['Eros', ...Array.from({ length: 20 }, createWord)].join(' '),
  )
  await shard.update([await createUpdate('eva', sell('eva', names), { sequence: 1 })])
  expect(countWords(storage)).toBeLessThanOrEqual(MAX_SELLER_WORDS + 3)
  expect(find(names[0] ?? '')).toEqual([names[0]])
  expect(find(names.at(-1) ?? '')).toEqual([])
  expect(find('eros')).toHaveLength(30)
  expect(listProducts('eva')).toHaveLength(300)
})

it('many products of few words are stored in transactions of few rows', async () => {
  const names = Array.from({ length: 1_500 }, () => 'Dior Homme')
  await shard.update([await createUpdate('eva', sell('eva', names), { sequence: 1 })])
  expect(Math.max(...rows)).toBeLessThanOrEqual(MOST_ROWS)
  expect(listProducts('eva')).toHaveLength(1_500)
})

it('many sellers of one call are stored in transactions of few rows', async () => {
  const names = Array.from({ length: 100 }, (_, index) => `Dior ${index} Homme EDP 100 ml`)
  const updates = await Promise.all(
    Array.from({ length: MAX_UPDATES }, (_, at) =>
      createUpdate(`s${at}`, sell(`s${at}`, names), { sequence: 1 }),
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
  const update = await createUpdate('eva', createEntry('eva', 'Eva', products), { sequence: 1 })
  expect(await measured.update([update])).toEqual(['stored'])
  expect(find('eros')).toHaveLength(30)
  expect(Math.max(...lengths)).toBeLessThanOrEqual(LARGEST_TEXT)
})
