/**
 * The catalogues of the bundled sample, made by the code of `src/domain`. Tests compare pages with these catalogues.
 */
import { readFileSync } from 'node:fs'
import type { Catalogue } from '../../../src/domain/catalogue/catalogue.ts'
import { createCatalogue } from '../../../src/domain/catalogue/catalogue.ts'
import type { Collection, SourceDocument } from '../../../src/domain/documents/document.ts'
import { COLLECTIONS } from '../../../src/domain/documents/document.ts'
import type { Entry } from '../../../src/domain/documents/parse-document.ts'
import { parseDocument } from '../../../src/domain/documents/parse-document.ts'
import type { Product } from '../../../src/domain/documents/product.ts'
import type { Profile } from '../../../src/domain/documents/seller.ts'

const SAMPLE = new URL('../../../src/builder/sources/sample/', import.meta.url)

export const CATALOGUES: readonly Catalogue[] = readCatalogues()

/** A catalogue of thirty products, some available and some not. */
export const THIRTY = findCatalogue(
  ({ products }) => products.length === 30 && products.some(isAvailable) && !products.every(isAvailable),
)
/** A catalogue of fewer than twelve products, some available and some not. */
export const SHORT = findCatalogue(
  ({ products }) => products.length < 12 && products.some(isAvailable) && !products.every(isAvailable),
)
export const EMPTY = findCatalogue(({ products }) => products.length === 0)

export function isAvailable(product: Product): boolean {
  return product.available
}

function findCatalogue(isMeant: (catalogue: Catalogue) => boolean): Catalogue {
  const found = CATALOGUES.find(isMeant)
  if (found === undefined) throw new Error(`the sample lacks a catalogue for which ${isMeant} holds`)
  return found
}

function readCatalogues(): readonly Catalogue[] {
  const profiles = new Map<string, Profile>()
  const products = new Map<string, Product[]>()
  for (const entry of COLLECTIONS.flatMap(readEntries)) {
    const own = products.get(entry.seller) ?? []
    products.set(entry.seller, own)
    if (entry.kind === 'profile') profiles.set(entry.seller, entry.profile)
    else own.push(entry.product)
  }
  return [...products].map(([seller, own]) => createCatalogue(seller, profiles.get(seller) ?? null, own))
}

function readEntries(collection: Collection): readonly Entry[] {
  const lines = readFileSync(new URL(`${collection}.ndjson`, SAMPLE), 'utf8')
    .trim()
    .split('\n')
  return lines.map((line) => parseLine(collection, line)).filter((entry) => entry !== null)
}

function parseLine(collection: Collection, line: string): Entry | null {
  const { id, data }: Pick<SourceDocument, 'id' | 'data'> = JSON.parse(line)
  return parseDocument({ collection, id, updateTime: null, data }, () => {})
}
