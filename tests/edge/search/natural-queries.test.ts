/** Queries as people type them find the intended products in the catalogues of the sample. */
import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { foldText } from '../../../src/domain/documents/text.ts'
import type { Product } from '../../../src/domain/documents/product.ts'
import type { JoinedIndex } from '../../../src/edge/search/join-shards.ts'
import { createSampleIndex } from '../../support/search/sample-index.ts'

/** By query, an expression for the folded text of what is found. */
type Table = Readonly<Record<string, string>>

const TABLES: { readonly some: Table; readonly all: Table } = JSON.parse(
  readFileSync(new URL('natural-queries.json', import.meta.url), 'utf8'),
)
const FIRST = 5

let index: JoinedIndex
beforeAll(async () => {
  index = await createSampleIndex()
})

test('one of the first five is what was meant', async () => {
  expect(await listMissed(TABLES.some, (found, isMeant) => found.some(isMeant))).toEqual([])
})

test('all of the first five are of the kind that was meant', async () => {
  expect(await listMissed(TABLES.all, (found, isMeant) => found.every(isMeant))).toEqual([])
})

type IsRight = (found: readonly string[], isMeant: (text: string) => boolean) => boolean

/** Returns each query that misses, with what it finds. */
async function listMissed(table: Table, isRight: IsRight): Promise<readonly string[]> {
  const tried = Object.entries(table).map(async ([query, meant]) => {
    const { products, sellers } = await index.search(query)
    const named = products.slice(0, FIRST).map(({ product }) => describe(product))
    const found = named.length > 0 ? named : sellers.map(({ name }) => foldText(name))
    const isFound = found.length > 0 && isRight(found, (text) => new RegExp(meant).test(text))
    return isFound ? [] : [`${query}: ${found.join('; ') || 'nothing'}`]
  })
  return (await Promise.all(tried)).flat()
}

/** The folded name, with the decants that are available: `+5ml`. */
function describe({ name, _5ml, _10ml }: Product): string {
  return [foldText(name), ...(_5ml.available ? ['+5ml'] : []), ...(_10ml.available ? ['+10ml'] : [])].join(
    ' ',
  )
}
