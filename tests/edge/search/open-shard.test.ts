import { beforeEach, describe, expect, it } from 'vitest'
import type { Product } from '../../../src/domain/documents/product.ts'
import type { SearchAnswer } from '../../../src/domain/pages/found-products.ts'
import { hashPlace, MOST_FOUND, MOST_OF_SELLER } from '../../../src/domain/search/search-answer.ts'
import type { SearchEntry } from '../../../src/domain/search/search-entry.ts'
import type { SearchIndex, UpdateOutcome } from '../../../src/domain/search/search-index.ts'
import { createUpdate } from '../../../src/domain/search/search-index.ts'
import { MAX_RANKED_WORDS } from '../../../src/domain/search/words.ts'
import { openShard } from '../../../src/edge/search/open-shard.ts'
import { createRandom } from '../../../scripts/measure/random.ts'
import { createEntry, createProduct } from '../../support/search/search-entries.ts'
import { searchAll } from '../../support/search/search-oracle.ts'
import { COMPARED, countWords, putSeller, searchStorage, seeTag } from '../../support/search/search-index.ts'
import type { MemoryStorage } from '../../../scripts/prove/search/memory-index.ts'
import { createStorage } from '../../../scripts/prove/search/memory-index.ts'

let storage: MemoryStorage
let shard: SearchIndex

beforeEach(() => {
  storage = createStorage()
  shard = openShard(storage, { createSalt: () => '', now: () => COMPARED })
})

function put(seller: string, entry: SearchEntry | null, seen?: string): Promise<UpdateOutcome> {
  return putSeller(shard, seller, entry, seen)
}

function find(query: string): SearchAnswer {
  return searchStorage(storage, query)
}

/** Sellers, products and distinct words. */
async function countAll(opened: SearchIndex = shard): Promise<readonly unknown[]> {
  const { sellers, products } = await opened.readState()
  return [sellers, products, countWords(storage)]
}

function findNames(query: string): readonly string[] {
  return find(query).products.map(({ product }) => product.name)
}

/** A seller with products of these names. */
function sell(seller: string, ...names: readonly string[]): SearchEntry {
  return createEntry(
    seller,
    `Tienda ${seller}`,
    names.map((name, index) => createProduct(`p${index}`, name, { price: 100 * (index + 1) })),
  )
}

describe('a query', () => {
  beforeEach(async () => {
    await put('ana', createEntry('ana', 'Rosa Núñez', [createProduct('a', 'Perfume Ángel EDP 100 ml')]))
    await put('bea', sell('bea', 'Perfumado Eros 50ml', 'Chanel Bleu Eau de Parfum 100ml', 'Eros EDT 10 ml'))
  })

  it('finds products of several sellers by the beginning of a word', () => {
    // One is a «Parfum».
    expect(find('perfum').products.map(({ seller }) => seller.id)).toEqual(['bea', 'bea', 'ana'])
  })

  it('ignores accents and case', () => {
    expect(findNames('angel')).toEqual(['Perfume Ángel EDP 100 ml'])
    expect(findNames('ÁNGEL')).toEqual(['Perfume Ángel EDP 100 ml'])
  })

  it('finds the words of the trade, and amounts with and without a space', () => {
    const both = ['Perfume Ángel EDP 100 ml', 'Chanel Bleu Eau de Parfum 100ml']
    for (const query of ['EDP 100ml', 'edp 100 ml', 'eau de parfum 100ml'])
      expect(findNames(query).toSorted(), query).toEqual(both.toSorted())
    expect(findNames('10 ml')).toEqual(['Eros EDT 10 ml'])
  })

  it('finds no other amount', async () => {
    await put('caro', sell('caro', 'Delina 75 ml', 'Delina 75ml', 'Delina 110 ml'))
    for (const query of ['5ml', '5 ml', '0ml', 'delina 10ml', 'delina 00 ml'])
      expect(
        findNames(query).filter((name) => name.startsWith('Delina')),
        query,
      ).toEqual([])
  })

  it('finds a seller by her name', () => {
    const rosa = { match: 'whole', id: 'ana', name: 'Rosa Núñez', products: 1, available: 1 }
    expect(find('rosa nunez')).toEqual({ products: [], sellers: [rosa], isMore: false })
    expect(find('Nuñ').sellers.map(({ id }) => id)).toEqual(['ana'])
  })

  it('forgives a wrong letter in a long word if nothing else matches', () => {
    for (const query of ['chanal', 'chnel', 'hcanel bleu', 'channel'])
      expect(findNames(query), query).toEqual(['Chanel Bleu Eau de Parfum 100ml'])
    expect(find('chnel').products.map(({ match }) => match)).toEqual(['misspelt'])
    expect(find('rosa nunes').sellers.map(({ id }) => id)).toEqual(['ana'])
    expect(find('eras')).toEqual({ products: [], sellers: [], isMore: false })
    expect(find('200ml')).toEqual({ products: [], sellers: [], isMore: false })
  })

  it('does not forgive while a word is found as it is', async () => {
    await put('caro', sell('caro', 'Channel Orange'))
    expect(findNames('channel')).toEqual(['Channel Orange'])
  })

  it('finds a word inside of another', () => {
    expect(find('hane').products.map(({ match }) => match)).toEqual(['part'])
    expect(find('ha').products).toEqual([])
  })

  it('needs every word', () => {
    expect(findNames('eros chanel')).toEqual([])
    expect(findNames('bleu chan 100')).toEqual(['Chanel Bleu Eau de Parfum 100ml'])
  })
})

it('shows what is available first, then by match, then by price', async () => {
  const product = (id: string, name: string, parts: Partial<Product>): Product =>
    createProduct(id, name, parts)
  await put(
    'ana',
    createEntry('ana', 'Ana', [
      product('a', 'Mangel', { price: 1 }),
      product('b', 'Angelus', { price: 2 }),
      product('c', 'Angel', { price: 5 }),
      product('d', 'Angel', { price: 4 }),
      product('e', 'Angel', { price: null }),
      product('f', 'Angel', { price: 3, available: false }),
      product('g', 'Angelus', { price: 1, available: false }),
      product('h', 'Angel', { price: 0, available: false }),
    ]),
  )
  expect(find('angel').products.map(({ product: { id } }) => id)).toEqual('d c e b a f h g'.split(' '))
})

it('counts words of a name after the twelfth as parts: other names come first for them', async () => {
  const many = Array.from({ length: MAX_RANKED_WORDS - 1 }, (_, index) => `marca${'abcdefghijkl'[index]}`)
  await put(
    'eva',
    createEntry('eva', [...many, 'Tienda Perfume Dior'].join(' '), [
      createProduct('stuffed', [...many, 'Chanel Perfume Dior'].join(' '), { price: 1 }),
    ]),
  )
  await put('ana', createEntry('ana', 'Ana', [createProduct('whole', 'Dior', { price: 9_000 })]))
  await put('bea', createEntry('bea', 'Bea', [createProduct('begun', 'Diorissimo', { price: 9_000 })]))
  const list = (query: string): readonly string[] => find(query).products.map(({ product: { id } }) => id)
  expect(list('dior')).toEqual(['whole', 'begun', 'stuffed'])
  expect(list('di').at(-1)).toBe('stuffed')
  expect([list('chanel'), list('chanel perfume dior'), list('perfum')]).toEqual(
    Array.from({ length: 3 }, () => ['stuffed']),
  )
  expect([list('erfume'), list('perfune')]).toEqual([[], []])
  expect(find('tienda').sellers.map(({ id }) => id)).toEqual(['eva'])
  expect(find('perfume').sellers).toEqual([])
})

describe('a seller with the best of everything', () => {
  const others = Array.from({ length: 12 }, (_, number) => `s${String(number).padStart(2, '0')}`)
  const NAMES = Array.from({ length: 45 }, (_, index) => `Eau de Parfum Perfume Dior Chanel ${index}`)
  beforeEach(async () => {
    for (const seller of others) {
      const products = ['a', 'b'].map((id) => createProduct(id, `Dior ${id} Eau de Parfum`, { price: 5_000 }))
      await put(seller, createEntry(seller, 'Tienda', products))
    }
  })

  it.each([
    ['at the lowest price', { price: 1 }],
    ['for nothing', { price: 0 }],
    ['and all sold out', { price: 1, available: false }],
  ])('%s has three results before those of others', async (_title, parts) => {
    const products = NAMES.map((name, index) => createProduct(`p${index}`, name, parts))
    await put('eva', createEntry('eva', 'Eva', products))
    for (const query of ['dior', 'perfume', 'eau de parfum', 'di', 'par']) {
      const found = find(query).products.map(({ seller }) => seller.id)
      const first = found.slice(0, 27)
      expect(found, query).toHaveLength(MOST_FOUND.products)
      expect(first.filter((id) => id === 'eva').length, query).toBeLessThanOrEqual(MOST_OF_SELLER)
      expect(new Set(first), query).toEqual(new Set([...others, 'eva']))
      expect(find(query).isMore, query).toBe(true)
    }
  })

  it('meets another order of equal prices in each index: no id comes first everywhere', async () => {
    const orders = await Promise.all(
      ['one', 'other'].map(async (salt) => {
        const other = createStorage()
        const salted = openShard(other, { createSalt: () => salt })
        for (const seller of others)
          await putSeller(salted, seller, createEntry(seller, 'Tienda', [createProduct('p', 'Eros')]))
        return searchStorage(other, 'eros').products.map(({ seller }) => seller.id)
      }),
    )
    expect(orders.map((order) => order.toSorted())).toEqual([others, others])
    expect(orders[0]).not.toEqual(orders[1])
  })
})

describe('an update', () => {
  it('is beaten if the seller was put since her tag was seen', async () => {
    const seen = await seeTag(shard, 'ana')
    expect(await put('ana', sell('ana', 'Eros'), seen)).toBe('stored')
    expect(await put('ana', sell('ana', 'Bleu'), seen)).toBe('beaten')
    expect(await put('ana', null, seen)).toBe('beaten')
    expect(findNames('eros')).toEqual(['Eros'])
  })

  it('with equal data changes one row: it beats those whose data was read before', async () => {
    await put('ana', sell('ana', 'Eros', 'Bleu'))
    const seen = await seeTag(shard, 'ana')
    const before = storage.countChanges()
    expect(await put('ana', sell('ana', 'Eros', 'Bleu'))).toBe('equal')
    expect(storage.countChanges() - before).toBe(1)
    expect(await put('ana', sell('ana', 'Angel'), seen)).toBe('beaten')
    expect(storage.countChanges() - before).toBe(1)
  })

  it('of a price writes the product and its seller, not the words', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `Eros ${index}`)
    await put('ana', sell('ana', ...names))
    const before = storage.countChanges()
    const entry = sell('ana', ...names)
    const [first, ...rest] = entry.products
    const dearer = { ...first, product: createProduct('p0', 'Eros 0', { price: 101 }), picture: null }
    await put('ana', { ...entry, products: [dearer, ...rest] })
    expect(storage.countChanges() - before).toBeLessThanOrEqual(8)
  })

  it('removes a seller, and one that saw her before does not bring her back', async () => {
    await put('ana', sell('ana', 'Eros'))
    const seen = await seeTag(shard, 'ana')
    expect(await put('ana', null)).toBe('stored')
    expect(await put('ana', sell('ana', 'Eros'), seen)).toBe('beaten')
    expect(find('eros ana')).toEqual({ products: [], sellers: [], isMore: false })
    expect(find('tienda').sellers).toEqual([])
    expect(await countAll()).toEqual([0, 0, 0])
    expect(await put('ana', sell('ana', 'Eros'))).toBe('stored')
    expect(findNames('eros')).toEqual(['Eros'])
  })

  it('that fails changes nothing, is noted, and stops no other one', async () => {
    await put('ana', sell('ana', 'Eros'))
    const lines: string[] = []
    const broken = openShard(breakStorage('INSERT INTO sellers', 'ana'), { log: (line) => lines.push(line) })
    const updates = await Promise.all(
      ['bea', 'ana', 'caro'].map(async (seller) =>
        createUpdate(seller, sell(seller, 'Bleu'), await seeTag(broken, seller)),
      ),
    )
    expect(await broken.update(updates)).toEqual(['stored', 'failed', 'stored'])
    expect(lines).toEqual(['search: a seller cannot be updated: the disk is full'])
    expect(await shard.readState()).toMatchObject({ unfed: 1 })
    expect(findNames('eros')).toEqual(['Eros'])
    expect(
      find('bleu')
        .products.map(({ seller }) => seller.id)
        .sort(),
    ).toEqual(['bea', 'caro'])
    expect(await put('ana', sell('ana', 'Bleu'))).toBe('stored')
  })
})

/** Statements that begin so fail with this binding. */
function breakStorage(begin: string, binding: string): MemoryStorage {
  const exec: MemoryStorage['sql']['exec'] = (query, ...bindings) => {
    if (query.startsWith(begin) && bindings.includes(binding)) throw new Error('the disk is full')
    return storage.sql.exec(query, ...bindings)
  }
  return { ...storage, sql: { exec } }
}

it('keeps products apart whose keys collide', async () => {
  const [one, other] = findCollision('ana')
  const named = (...ids: readonly string[]): SearchEntry =>
    createEntry(
      'ana',
      'Ana',
      ids.toSorted().map((id) => createProduct(id, `Eros ${id}`)),
    )
  await put('ana', named(one, other))
  expect(find('eros').products).toHaveLength(2)
  await put('ana', named(other))
  expect(findNames(one)).toEqual([])
  await put('ana', named(one, other))
  expect(findNames('eros').toSorted()).toEqual([`Eros ${one}`, `Eros ${other}`].toSorted())
  await put('ana', null)
  expect(storage.database.prepare('SELECT key FROM documents').all()).toEqual([])
})

/** Returns ids of two products of a seller with the same hash. */
function findCollision(seller: string): readonly [string, string] {
  const known = new Map<number, string>()
  for (let number = 0; ; number += 1) {
    const id = `p${number}`
    const other = known.get(hashPlace('', seller, id))
    if (other !== undefined) return [other, id]
    known.set(hashPlace('', seller, id), id)
  }
}

/** After these, a name has two more words that count fully. */
const LONG = 'uno dos tres cuatro cinco seis siete ocho nueve diez '

it('answers as a look at every product does when there is more than can be shown', async () => {
  const random = createRandom(1)
  const words = [
    'Angel',
    'Angelus',
    'Mangel',
    'Bleu',
    'Bleu',
    'Eros',
    'EDP',
    '100 ml',
    'Chanel',
    'Rosa',
  ] as const
  const entries = Array.from({ length: 120 }, (_, number) => {
    // Some have many: no more than three of a seller come before those of others.
    const count = number >= 57 && number < 63 ? 60 : 1 + random.below(12)
    const products = Array.from({ length: count }, (__, index) =>
      createProduct(
        `p${number}-${index}`,
        `${random.chance(0.2) ? LONG : ''}${random.pick(words)} ${random.pick(words)} ${random.pick(words)}`,
        {
          price: random.chance(0.1) ? null : 10 * random.below(20),
          available: random.chance(number < 60 ? 0.02 : 0.6),
        },
      ),
    )
    return createEntry(`s${number}`, random.chance(0.5) ? 'Rosa Bleu' : 'Rosalía Eros', products)
  })
  for (const entry of entries) await put(entry.seller.id, entry)
  const queries = [
    'angel',
    'ange',
    'a',
    'bleu',
    'eros angel',
    'mangel edp',
    'rosa',
    'rosal',
    'ros bleu',
    'ngel',
  ]
  for (const query of [
    ...queries,
    '100ml',
    'edp 100 ml',
    'anjel',
    'chanl bleu',
    'anjel chanl',
    'eau',
    'd',
    'zz',
  ]) {
    expect(find(query), query).toEqual(searchAll(entries, query))
  }
  expect(find('angel').products).toHaveLength(MOST_FOUND.products)
  expect(find('angel').isMore).toBe(true)
})

it('answers anything that can be typed', async () => {
  await put('ana', sell('ana', 'NEAR Eros AND "Bleu" NOT * 香水'))
  const bytes = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte))
  const syntax =
    '" * NEAR( NEAR(a,b) OR a)OR(b NOT AND ^eros words:eros {words}:a -eros eros* "eros % _ \\ / · 😀'
  const other = ["';DROP TABLE words--", 'words : eros', 'a OR b', 'NEAR(a b, 3)', '\0', '\u{D800}', '· eros']
  const long = ['x', 'a ', '"', '(', 'é'].map((text) => text.repeat(10_000))
  for (const query of [
    ...syntax.split(' '),
    ...other,
    ...long,
    ...bytes,
    ...bytes.map((byte) => `eros${byte}bleu`),
  ])
    expect(() => find(query), query).not.toThrow()
  expect(findNames('words:eros')).toEqual([])
  expect(findNames('near AND not')).toHaveLength(1)
  expect(find('·')).toEqual({ products: [], sellers: [], isMore: false })
  expect(findNames('-eros')).toHaveLength(1)
})

describe('the comparison with a source', () => {
  it('returns a digest for each bucket, equal for equal data', async () => {
    const twin = openShard(createStorage())
    for (const one of [shard, twin])
      for (const seller of ['ana', 'bea', 'caro']) await putSeller(one, seller, sell(seller, 'Eros'))
    await putSeller(twin, 'bea', sell('bea', 'Bleu'))
    await putSeller(twin, 'bea', sell('bea', 'Eros'))
    await putSeller(twin, 'gone', null)
    const { buckets } = await twin.begin('one')
    expect((await shard.begin('one')).buckets).toEqual(buckets)
    await put('bea', sell('bea', 'Bleu'))
    const begun = await shard.begin('two')
    const differing = begun.buckets.filter(({ digest }, index) => digest !== buckets[index]?.digest)
    const { bucket } = await createUpdate('bea', null, '')
    expect(differing.map((one) => one.bucket)).toEqual([bucket])
  })

  it('lists the sellers of a bucket, and those that were removed since it began', async () => {
    const { bucket, digest } = await createUpdate('ana', sell('ana', 'Eros'), '')
    await put('ana', sell('ana', 'Eros'))
    expect(await shard.listSellers(bucket, null)).toEqual([{ seller: 'ana', digest }])
    await put('ana', null)
    expect(await shard.listSellers(bucket, null)).toEqual([{ seller: 'ana', digest: null }])
    expect(await shard.listSellers(bucket, 'ana')).toEqual([])
    await shard.begin('one')
    expect(await shard.listSellers(bucket, null)).toEqual([])
  })

  it('begins an epoch, in which no earlier tag is valid, of known and of unknown sellers', async () => {
    await put('ana', sell('ana', 'Eros'))
    await put('bea', sell('bea', 'Eros'))
    const [ana, gone, bea] = [
      await seeTag(shard, 'ana'),
      await seeTag(shard, 'gone'),
      await seeTag(shard, 'bea'),
    ]
    await put('bea', null)
    await shard.begin('one')
    // As long as the shard knows her: afterwards she has the count of a seller who never was there.
    expect(await put('bea', sell('bea', 'Bleu'), bea)).toBe('beaten')
    expect(await put('ana', sell('ana', 'Bleu'), ana)).toBe('beaten')
    expect(await put('gone', sell('gone', 'Bleu'), gone)).toBe('beaten')
    expect(find('bleu').products).toEqual([])
  })

  const noteUnfed = (sellers: number): void => {
    storage.sql.exec('UPDATE notes SET unfed = unfed + ?', sellers)
  }

  it('settles what could not be updated before it began, once it ends, and only the last one', async () => {
    noteUnfed(2)
    await shard.begin('one')
    noteUnfed(1)
    await shard.noteCompared({ epoch: 'other', repaired: 5 })
    expect(await shard.readState()).toMatchObject({ compared: null, repaired: 0, unfed: 3 })
    await shard.noteCompared({ epoch: 'one', repaired: 7 })
    await shard.noteCompared({ epoch: 'one', repaired: 7 })
    expect(await shard.readState()).toMatchObject({ compared: COMPARED, repaired: 7, unfed: 1 })
  })
})

it('keeps its data when it is opened again, and is empty and another one after other tables', async () => {
  await put('ana', sell('ana', 'Eros'))
  const [seen, { life }] = [await seeTag(shard, 'ana'), await shard.readState()]
  const again = openShard(storage)
  expect([await countAll(again), await seeTag(again, 'ana'), await again.readState()]).toMatchObject([
    [1, 1, 3],
    seen,
    { life },
  ])
  storage.sql.exec('UPDATE tables SET version = 0')
  const emptied = openShard(storage)
  expect(await countAll(emptied)).toEqual([0, 0, 0])
  expect((await emptied.readState()).life).not.toBe(life)
  expect(await putSeller(emptied, 'ana', sell('ana', 'Eros'), seen)).toBe('beaten')
})
