/** Queries as people type them find the intended products in the catalogues of the sample. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { foldText } from '../../../src/domain/documents/text.ts'
import { parseSearchFile } from '../../../src/domain/search/search-file.ts'
import type { FoundProduct } from '../../../src/domain/search/search-files.ts'
import { openSearchFiles } from '../../../src/domain/search/search-files.ts'
import { createAssets } from '../../support/search/search-assets.ts'

/** By query, an expression for the folded text of what is found. */
type Table = Readonly<Record<string, string>>

const TABLES: { readonly some: Table; readonly all: Table } = JSON.parse(
  readFileSync(new URL('natural-queries.json', import.meta.url), 'utf8'),
)
const FIRST = 5

const FILES = [...createAssets().files].filter(([path]) => path.endsWith('.txt'))
const search = openSearchFiles(FILES.map(([, text]) => parseSearchFile(text)))

test('one of the first five results of a natural query is what was meant', () => {
  expect(listMissed(TABLES.some, (found, isMeant) => found.some(isMeant))).toEqual([])
})

test('the first five results of a natural query are all of the kind that was meant', () => {
  expect(listMissed(TABLES.all, (found, isMeant) => found.every(isMeant))).toEqual([])
})

type IsRight = (found: readonly string[], isMeant: (text: string) => boolean) => boolean

/** Returns each query that misses, with what it finds. */
function listMissed(table: Table, isRight: IsRight): readonly string[] {
  return Object.entries(table).flatMap(([query, meant]) => {
    const { products, sellers } = search({ query, decants: 'todos' })
    const named = products.slice(0, FIRST).map(describe)
    const found = named.length > 0 ? named : sellers.map(({ name }) => foldText(name))
    const isFound = found.length > 0 && isRight(found, (text) => new RegExp(meant).test(text))
    return isFound ? [] : [`${query}: ${found.join('; ') || 'nothing'}`]
  })
}

/** The folded name, with the decants that are available: `+5ml`. */
function describe({ name, decants }: FoundProduct): string {
  return [foldText(name), ...(decants.match(/\d+ML/g) ?? []).map((size) => `+${size.toLowerCase()}`)].join(
    ' ',
  )
}
