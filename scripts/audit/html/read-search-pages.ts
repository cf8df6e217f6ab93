/** Reads the pages of a served site's search. */
import { SEARCH_PATH } from '../../../src/domain/pages/paths.ts'

/** Queries for the documents of `writeDocuments` whose pages differ in their markup, by a name of the page. */
const QUERIES: Readonly<Record<string, string>> = {
  empty: '',
  'many-products': 'eau',
  sellers: 'peña',
  'hostile-names': 'alert',
  'nothing-found': '"><b>zzzz</b>',
}

/** Returns the pages by name. */
export async function readSearchPages(origin: string): Promise<ReadonlyMap<string, string>> {
  const pages = new Map<string, string>()
  for (const [name, query] of Object.entries(QUERIES))
    pages.set(
      `search-${name}`,
      await readPage(`${origin}${SEARCH_PATH}?${new URLSearchParams({ q: query })}`),
    )
  return pages
}

async function readPage(address: string): Promise<string> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`${address} was answered ${response.status}`)
  return response.text()
}
