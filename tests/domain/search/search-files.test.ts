/** A search in files finds what a look at every product finds. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Product } from '../../../src/domain/documents/product.ts'
import { formatCataloguePath, formatProductLink } from '../../../src/domain/pages/paths.ts'
import type { DecantChoice } from '../../../src/domain/catalogue/view.ts'
import type { SearchEntry } from '../../../src/domain/search/format-search-file.ts'
import { formatSearchFile } from '../../../src/domain/search/format-search-file.ts'
import { parseSearchFile } from '../../../src/domain/search/search-file.ts'
import type { AskedSearch, Search, SearchAnswer } from '../../../src/domain/search/search-files.ts'
import { openSearchFiles } from '../../../src/domain/search/search-files.ts'
import { SWITCHES } from '../../support/search/search-assets.ts'
import { createEntry, createProduct, searchAll } from '../../support/search/search-oracle.ts'

const WORDS =
  'Ángel|Angelo|Bleu|Chanel|Channel|Evangeline|Eros|EDP|Eau de Parfum|Mangel|100 ml|100ml|10 ml|5|Ñandú|香水|Perfume|Perfumado|D’Or|9PM|Homme|Woman|3.4 oz|Nº5'.split(
    '|',
  )
const QUERIES = [
  'angel|ange|a|an|ngel|angl|agnel|chanel|chanell|chnel bleu|perfum|perfuma|edp|edp 100ml|100 ml|10ml|5',
  'eau de parfum angel|ana|bea|marta|nandu|香水|d|eros mangel|evangelina|dulze maria|maria dulce|9 pm|pm|xyz',
  'hombre|men|man|mujer|angelbleu|bleueros|bleuangle|anglechanel|dulcemaria|decant|5 ml|decants 10ml|3.4 oz|n 5|un angel',
].flatMap((line) => line.split('|'))

const product: fc.Arbitrary<Omit<Product, 'id'>> = fc
  .record({
    words: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }),
    price: fc.constantFrom(null, 0, 950, 1_000, 1_000.5, 999_999_999),
    available: fc.boolean(),
    isPoured: fc.boolean(),
  })
  .map(({ words, price, available, isPoured }) =>
    createProduct('', words.join(' '), {
      price,
      available,
      _5ml: { price: null, available: isPoured },
    }),
  )

const entries = (most: { readonly sellers: number; readonly products: number }) =>
  fc
    .array(
      fc.record({
        name: fc.constantFrom('Ana Marta', 'Bea', 'María Dulce', 'Ángel Bleu', '!'),
        products: fc.array(product, { minLength: 1, maxLength: most.products }),
      }),
      { minLength: 1, maxLength: most.sellers },
    )
    .map((sellers) =>
      sellers.map(({ name, products }, index) =>
        createEntry(
          `s${index}`,
          name,
          products.map((one, number) => ({ ...one, id: `p${number}` })),
        ),
      ),
    )

describe('a search in files', () => {
  for (const [title, most] of Object.entries({
    'few products': { sellers: 4, products: 6 },
    'many sellers': { sellers: 120, products: 4 },
    'large sellers': { sellers: 14, products: 60 },
  }))
    it(`finds what a look at every product finds, with ${title}`, () => {
      fc.assert(
        fc.property(entries(most), fc.integer({ min: 1, max: 5 }), (sellers, files) => {
          const search = openSearch(sellers, files)
          for (const query of QUERIES)
            for (const decants of ['todos', '5ml'] as const)
              expect(summarize(search({ query, decants })), query).toEqual(lookAtAll(sellers, query, decants))
        }),
        { numRuns: 15 },
      )
    })

  it('finds the same in files that list the sellers in another order', () => {
    const one = createEntry('one', 'Ana', [createProduct('p', 'Bleu')])
    const other = createEntry('other', 'Bea', [createProduct('p', 'Bleu')])
    expect(formatSearchFile([other, one], 32, SWITCHES)).toBe(formatSearchFile([one, other], 32, SWITCHES))
  })
})

describe('a search file', () => {
  const text = formatSearchFile(
    [createEntry('a', 'Ñandú 香水', [createProduct('p', 'Ámbar \u{1F33A} "<b>')])],
    32,
    SWITCHES,
  )

  it('is ASCII', () => {
    expect(text).toMatch(/^[\f\n\t -~]*$/)
  })

  it.each([
    ['an unknown format', text.replace(/vitrina-search \d/, 'vitrina-search 0')],
    ['a missing end', text.slice(0, -1)],
    ['a page', '<!doctype html><title>No existe</title>'],
    ['nothing', ''],
  ])('is refused with %s', (_, wrong) => {
    expect(() => parseSearchFile(wrong)).toThrow('does not know')
  })
})

describe('a seller whose products have thousands of random words', () => {
  const others = ['Bleu de Chanel', 'Dior Sauvage', 'Tom Ford Noir', 'Good Girl'].map((name, index) =>
    createEntry(`s${index}`, `Tienda ${name}`, [createProduct('p', name), createProduct('q', `${name} EDP`)]),
  )
  const noise = createEntry(
    'noise',
    'Ruido',
    Array.from({ length: 4_000 }, (_, index) => createProduct(`n${index}`, createNoise(index))),
  )
  const [alone, beside] = [openSearch(others, 3), openSearch([...others, noise], 3)]

  it('changes no results of others', () => {
    for (const query of ['chanel', 'chan', 'anel', 'chanle', 'tomford', 'gudgirl', 'godgirl', 'sauvage dior'])
      expect(summarize(beside(ask(query))), query).toEqual(summarize(alone(ask(query))))
  })

  it('is found by each of them', () => {
    for (const index of [0, 999, 3_999])
      for (const query of createNoise(index).split(' '))
        expect(
          beside(ask(query)).products.map(({ link }) => link),
          query,
        ).toEqual([`/n${index}`])
  })
})

function ask(query: string): AskedSearch {
  return { query, decants: 'todos' }
}

function openSearch(sellers: readonly SearchEntry[], files: number): Search {
  const texts = Array.from({ length: files }, (_, number) =>
    formatSearchFile(
      sellers.filter((one) => sellers.indexOf(one) % files === number),
      files,
      SWITCHES,
    ),
  )
  return openSearchFiles(texts.map(parseSearchFile))
}

/** Returns three words that no other `index` has. */
function createNoise(index: number): string {
  const letters = (at: number): string => {
    const number = Math.imul(3 * index + at, 0x9e3779b1) >>> 0
    return Array.from({ length: 8 }, (_, place) =>
      'bcdfghjklmnpqrtvwxz'.charAt(Math.floor(number / 19 ** place) % 19),
    ).join('')
  }
  return [1, 2, 3].map(letters).join(' ')
}

function summarize({ products, ...answer }: SearchAnswer): object {
  return {
    ...answer,
    products: products.map(({ seller, link, available }) => ({
      link: formatCataloguePath(seller.id) + link,
      available,
    })),
  }
}

function lookAtAll(sellers: readonly SearchEntry[], query: string, decants: DecantChoice): object {
  const answer = searchAll(sellers, query, decants)
  return {
    ...answer,
    products: answer.products.map(({ seller, product: { id, available } }) => ({
      link: formatProductLink(SWITCHES, seller.id, id),
      available,
    })),
  }
}
