/** Another generator that makes catalogue pages from the same database, and the data of its pages. */
import { DatabaseSync } from 'node:sqlite'
import type { Catalogue } from '../../../src/domain/catalogue/catalogue.ts'
import { createCatalogue } from '../../../src/domain/catalogue/catalogue.ts'
import { mapSwitches } from '../../../src/domain/documents/page-switches.ts'
import { parseDocument } from '../../../src/domain/documents/parse-document.ts'
import type { Product } from '../../../src/domain/documents/product.ts'
import type { Profile } from '../../../src/domain/documents/seller.ts'
import type { Site } from '../../../src/domain/pages/site.ts'
import type { MeasuredCommand } from '../../measure/run-measured.ts'

export interface Generator {
  readonly name: string
  /** Returns the command that makes all catalogue pages in the folder `output`. */
  build(output: string): MeasuredCommand
}

/** The default settings of a rebuild, but with all optional kinds of pages off. */
export const SITE: Site = {
  name: 'Vitrina',
  url: 'http://localhost:8787',
  accessUrl: null,
  ...mapSwitches(() => false),
}

/** Returns every catalogue of the database. */
export function loadCatalogues(file: string): readonly Catalogue[] {
  const database = new DatabaseSync(file, { readOnly: true })
  const profiles = new Map<string, Profile>()
  const products = new Map<string, Product[]>()
  try {
    const rows = database.prepare('SELECT collection, id, data FROM documents').iterate()
    for (const row of rows) {
      const collection = row['collection'] === 'users' ? 'users' : 'cataloge'
      const data: unknown = JSON.parse(String(row['data']))
      const entry = parseDocument({ collection, id: String(row['id']), updateTime: null, data }, () => {})
      if (entry === null) continue
      const own = products.get(entry.seller) ?? []
      products.set(entry.seller, own)
      if (entry.kind === 'profile') profiles.set(entry.seller, entry.profile)
      else own.push(entry.product)
    }
  } finally {
    database.close()
  }
  return [...products].map(([seller, own]) => createCatalogue(seller, profiles.get(seller) ?? null, own))
}
