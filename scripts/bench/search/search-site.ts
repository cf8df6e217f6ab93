/** A folder with the search files of generated sellers, and queries for them. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import { parseDocument } from '../../../src/domain/documents/parse-document.ts'
import { mapSwitches } from '../../../src/domain/documents/page-switches.ts'
import type { Picture } from '../../../src/domain/photos/picture.ts'
import { RESULTS_END, RESULTS_START } from '../../../src/domain/search/format-results.ts'
import type { SearchEntry } from '../../../src/domain/search/search-entry.ts'
import { formatSearchFile } from '../../../src/domain/search/format-search-file.ts'
import {
  countSearchFiles,
  findSearchFile,
  formatSearchFilePath,
} from '../../../src/domain/search/search-file.ts'
import { findBucket } from '../../../src/domain/work/buckets.ts'
import { createRandom } from '../../measure/random.ts'
import { makeSeller } from '../made-sellers.ts'
import { FIRST_NAMES, LAST_NAMES, PERFUMES } from '../sample-names.ts'
import { createHostileQuery } from './hostile-queries.ts'

export const QUERY_KINDS = ['usual', 'everywhere', 'misspelt', 'nothing', 'hostile'] as const
export type QueryKind = (typeof QUERY_KINDS)[number]

const SHELL = `<!doctype html><title>Buscar</title><input type="search"><main>${RESULTS_START}${RESULTS_END}</main>`

/** Generates sellers until they have this number of products. */
export async function writeSearchSite(folder: string, products: number): Promise<void> {
  const files = countSearchFiles(products)
  const lists: SearchEntry[][] = Array.from({ length: files }, () => [])
  for (let [number, left] = [1, products]; left > 0; number += 1) {
    const { id, profile, products: documents } = makeSeller(number)
    const entry = createEntry(id, profile, documents.slice(0, left))
    left -= entry.products.length
    lists[findSearchFile(await findBucket(id), files)]?.push(entry)
  }
  write(folder, 'index.html', '<!doctype html><title>Bench</title>')
  write(folder, 'buscar.html', SHELL)
  const switches = mapSwitches(() => true)
  for (const [number, entries] of lists.entries())
    write(folder, formatSearchFilePath(number), formatSearchFile(entries, { files, switches }))
}

function write(folder: string, path: string, text: string): void {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function createEntry(
  id: string,
  profile: SourceDocument | null,
  documents: readonly SourceDocument[],
): SearchEntry {
  const names = Object(profile?.data)
  return {
    seller: { id, name: `${names.fName ?? 'Jhon'} ${names.lName ?? 'Doe'}` },
    products: documents.flatMap((document) => {
      const entry = parseDocument(document, () => {})
      return entry?.kind === 'product'
        ? [{ product: entry.product, picture: createPicture(document.id) }]
        : []
    }),
  }
}

/** As long as the picture of a site that makes its own. */
function createPicture(id: string): Picture {
  const path = `fotos/${id.padEnd(32, '0').slice(0, 32)}`
  return {
    type: 'image/avif',
    sources: [{ path: `${path}-344.avif`, width: 344 }],
    fallback: `${path}.jpg`,
    tone: 7,
  }
}

/** Returns queries of a kind. Equal arguments give equal queries. */
export function createQueries(kind: QueryKind, count: number): readonly string[] {
  const random = createRandom(QUERY_KINDS.indexOf(kind) + 1)
  return Array.from({ length: count }, () => {
    const perfume = random.pick(PERFUMES)
    switch (kind) {
      case 'usual':
        return random.pick([
          perfume,
          `${perfume} 100ml`,
          `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`,
          perfume.slice(0, 3 + random.below(10)),
        ])
      case 'everywhere':
        return random.pick([
          'ml',
          'eau',
          'eau de',
          'parfum',
          'parfu',
          'edp',
          'de',
          'eau de parfum',
          'e',
          '100 ml',
        ])
      case 'misspelt':
        return misspell(perfume, random.below(1_000))
      case 'nothing':
        // Each of the last three queries consists of frequent words, but no product has all of them.
        return random.pick([
          random.id(8),
          `${perfume} ${random.id(6)}`,
          'toilette cologne',
          'edp edt edc',
          '30ml 50ml 90ml',
        ])
      case 'hostile':
        return createHostileQuery(random)
    }
  })
}

/** Returns the longest word of `name` with one letter replaced. `place` selects the letter. */
function misspell(name: string, place: number): string {
  const [longest = name] = name.split(' ').toSorted((a, b) => b.length - a.length)
  const at = 1 + (place % (longest.length - 1))
  return `${longest.slice(0, at)}x${longest.slice(at + 1)}`
}
