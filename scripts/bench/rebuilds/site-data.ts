/** Reads catalogues from the database for the other generators, with this project's own parsing. */
import { mapSwitches } from '../../../src/domain/documents/page-switches.ts'
import { DatabaseSync } from 'node:sqlite'
import type { Catalogue } from '../../../src/domain/catalogue/catalogue.ts'
import { createCatalogue } from '../../../src/domain/catalogue/catalogue.ts'
import { parseDocument } from '../../../src/domain/documents/parse-document.ts'
import type { Product } from '../../../src/domain/documents/product.ts'
import type { Profile } from '../../../src/domain/documents/seller.ts'
import type { Site } from '../../../src/domain/pages/site.ts'

/** The default settings of a rebuild, but with all optional kinds of pages off. */
export const SITE: Site = {
  name: 'Vitrina',
  url: 'http://localhost:8787',
  accessUrl: null,
  ...mapSwitches(() => false),
}

/** Returns every catalogue, ordered by seller id. */
export function loadCatalogues(file: string): readonly Catalogue[] {
  const database = new DatabaseSync(file, { readOnly: true })
  const profiles = new Map<string, Profile>()
  const products = new Map<string, Product[]>()
  try {
    const rows = database.prepare('SELECT collection, id, update_time, data FROM documents').iterate()
    for (const row of rows) {
      const document = {
        collection: row['collection'] === 'users' ? ('users' as const) : ('cataloge' as const),
        id: String(row['id']),
        updateTime: null,
        data: JSON.parse(String(row['data'])) as unknown,
      }
      const entry = parseDocument(document, () => {})
      if (entry === null) continue
      if (entry.kind === 'profile') profiles.set(entry.seller, entry.profile)
      else gather(products, entry.seller, entry.product)
    }
  } finally {
    database.close()
  }
  const sellers = [...new Set([...profiles.keys(), ...products.keys()])].sort()
  return sellers.map((seller) =>
    createCatalogue(seller, profiles.get(seller) ?? null, products.get(seller) ?? []),
  )
}

function gather(products: Map<string, Product[]>, seller: string, product: Product): void {
  const found = products.get(seller)
  if (found === undefined) products.set(seller, [product])
  else found.push(product)
}
