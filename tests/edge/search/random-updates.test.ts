/** A shard after any updates is the one that a single update of each seller makes. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Product } from '../../../src/domain/documents/product.ts'
import type { SearchEntry } from '../../../src/domain/search/search-entry.ts'
import type { SearchIndex } from '../../../src/domain/search/search-index.ts'
import { openShard } from '../../../src/edge/search/open-shard.ts'
import { createEntry, createProduct } from '../../support/search/search-entries.ts'
import { searchAll } from '../../support/search/search-oracle.ts'
import { putSeller, searchStorage } from '../../support/search/search-index.ts'
import type { MemoryStorage } from '../../../scripts/prove/search/memory-index.ts'
import { createStorage } from '../../../scripts/prove/search/memory-index.ts'

const SELLERS = ['ana', 'bea', 'caro', 'dulce']
const WORDS =
  'Ángel|Angelo|Bleu|Chanel|Channel|Evangeline|Eros|EDP|Eau de Parfum|Mangel|100 ml|100ml|10 ml|5|Ñandú|香水|Perfume|Perfumado|D’Or|9PM|Homme|Woman|3.4 oz|Nº5'.split(
    '|',
  )
const QUERIES = [
  'angel|ange|a|an|ngel|angl|agnel|chanel|chanell|chnel bleu|perfum|perfuma|edp|edp 100ml|100 ml|10ml|5',
  'eau de parfum angel|ana|bea|marta|nandu|香水|d|eros mangel|evangelina|dulze maria|maria dulce|9 pm|pm|xyz',
  'hombre|men|man|mujer|angelbleu|bleueros|bleuangle|anglechanel|dulcemaria|decant|5 ml|decants 10ml|3.4 oz|n 5|un angel',
].flatMap((line) => line.split('|'))

const product: fc.Arbitrary<Product> = fc
  .record({
    id: fc.constantFrom('p1', 'p2', 'p3', 'p4', 'p5', 'p6'),
    words: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }),
    /** With these, a name has one more word that counts fully. */
    before: fc.constantFrom('', '', 'uno dos tres cuatro cinco seis siete ocho nueve diez once '),
    price: fc.constantFrom(null, 0, 950, 1_000, 1_000.5, 999_999_999),
    available: fc.boolean(),
    isPoured: fc.boolean(),
  })
  .map(({ id, before, words, price, available, isPoured }) =>
    createProduct(id, `${before}${words.join(' ')}`, {
      price,
      available,
      _5ml: { price: null, available: isPoured },
    }),
  )

const entry = fc.record({
  name: fc.constantFrom('Ana Marta', 'Bea', 'María Dulce', 'Ángel Bleu', '!'),
  products: fc.uniqueArray(product, { selector: ({ id }) => id, minLength: 1, maxLength: 6 }),
})

/** `null`: the seller is removed, or her last product moved. */
const edit = fc.record({
  seller: fc.constantFrom(...SELLERS),
  entry: fc.option(entry, { freq: 5 }),
})

it('answers as a new one does, and as a look at every product', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 30 }), async (edits) => {
      const [storage, last] = [createStorage(), new Map<string, SearchEntry | null>()]
      const shard = openShard(storage, { createSalt: () => '' })
      for (const { seller, entry: made } of edits) {
        const fresh = made === null ? null : createEntry(seller, made.name, made.products)
        await putSeller(shard, seller, fresh)
        last.set(seller, fresh)
      }
      const [anewStorage, anew] = await buildAnew(last)
      expect(await shard.begin('one')).toMatchObject({ buckets: (await anew.begin('one')).buckets })
      expect(readTables(storage)).toEqual(readTables(anewStorage))
      expectSound(storage)
      expect(await shard.readState()).toMatchObject(countRows(storage))
      const entries = [...last.values()].filter((one) => one !== null)
      for (const query of QUERIES) {
        const answer = searchStorage(storage, query)
        expect(answer, query).toEqual(searchStorage(anewStorage, query))
        expect(answer, query).toEqual(searchAll(entries, query))
      }
    }),
    // prove:search plays many more.
    { numRuns: 15 },
  )
})

async function buildAnew(
  last: ReadonlyMap<string, SearchEntry | null>,
): Promise<readonly [MemoryStorage, SearchIndex]> {
  const storage = createStorage()
  const shard = openShard(storage, { createSalt: () => '' })
  for (const [seller, one] of [...last].toSorted()) await putSeller(shard, seller, one)
  return [storage, shard]
}

/** The keys that collide depend on the order of updates. */
function readTables({ database }: MemoryStorage): unknown {
  return [
    'SELECT value, words FROM documents ORDER BY value',
    'SELECT bucket, seller, digest FROM sellers',
    'SELECT * FROM words',
    'SELECT * FROM word_ends',
    'SELECT * FROM word_gaps',
  ].map((query) => database.prepare(query).all())
}

/** Returns what a scan of every seller finds. */
function countRows({ database }: MemoryStorage): object {
  const query = `SELECT count(*) AS sellers, coalesce(sum(json_array_length(keys) - 1), 0) AS products
    FROM sellers WHERE digest <> ''`
  return { ...database.prepare(query).get() }
}

/** The full-text index agrees with the documents. */
function expectSound({ database }: MemoryStorage): void {
  expect(() =>
    database.exec(`INSERT INTO word_index (word_index, rank) VALUES ('integrity-check', 1)`),
  ).not.toThrow()
}
