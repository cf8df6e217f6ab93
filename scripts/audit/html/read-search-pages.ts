/** Reads the pages of a served site's search. */
import { SEARCH_PATH } from '../../../src/domain/documents/page-table.ts'

/** Queries for the documents of `writeDocuments` whose pages differ in their markup, by a name of the page. */
const QUERIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  empty: { q: '' },
  'many-products': { q: 'eau' },
  narrowed: { q: 'eau', decants: '5ml' },
  sellers: { q: 'peña' },
  'many-sellers': { q: 'a' },
  'hostile-names': { q: 'alert' },
  'nothing-found': { q: '"><b>zzzz</b>' },
  'nothing-narrowed': { q: '"><b>zzzz</b>', decants: '10ml' },
}

/** Returns the pages by name. */
export async function readSearchPages(origin: string): Promise<ReadonlyMap<string, string>> {
  const pages = new Map<string, string>()
  for (const [name, query] of Object.entries(QUERIES))
    pages.set(`search-${name}`, await readPage(`${origin}${SEARCH_PATH}?${new URLSearchParams(query)}`))
  return pages
}

async function readPage(address: string): Promise<string> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`${address} was answered ${response.status}`)
  return response.text()
}
