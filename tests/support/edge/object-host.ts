/** The host of calls about objects, in memory: the store, the coordinator's ledger, a plain renderer. */
import { CoordinatorTwin } from '../../../scripts/prove/coordinator/coordinator-twin.ts'
import { createMemoryStore } from './memory-store.ts'
import { createCatalogue } from '../../../src/domain/catalogue/catalogue.ts'
import type { Product } from '../../../src/domain/documents/product.ts'
import { createSellerData } from '../../../src/domain/objects/object-data.ts'
import type { SellerData } from '../../../src/domain/objects/object-data.ts'
import { NO_PICTURES } from '../../../src/domain/photos/picture.ts'
import type { LocalLedger } from '../../../src/edge/coordinator/storage/local-ledger.ts'
import type { ObjectHost } from '../../../src/edge/objects/object-host.ts'
import type { StoredObject } from '../../../src/edge/objects/object-store.ts'
import { createProduct } from '../search/search-entries.ts'
import { createEdgeRenderer } from './edge-renderer.ts'

export interface MemoryHost extends ObjectHost {
  readonly ledger: LocalLedger
  readonly coordinator: CoordinatorTwin
  readonly objects: Map<string, StoredObject>
  /** Names whose pages were forgotten. */
  readonly forgotten: string[]
  readonly lines: string[]
}

export function createMemoryHost(renderer = createEdgeRenderer()): MemoryHost {
  const objects = new Map<string, StoredObject>()
  const forgotten: string[] = []
  const lines: string[] = []
  const coordinator = new CoordinatorTwin()
  return {
    store: createMemoryStore(objects),
    renderer,
    ledger: coordinator.calls,
    coordinator,
    forgetPages: async (name) => void forgotten.push(name),
    log: (line) => void lines.push(line),
    objects,
    forgotten,
    lines,
  }
}

export function createHostProduct(id: string, price = 100): Product {
  return createProduct(id, `Perfume ${id}`, { price })
}

export function createHostSeller(
  seller: string,
  products: readonly Product[] = [createHostProduct('p')],
): SellerData {
  const catalogue = createCatalogue(seller, { fName: 'Ana', lName: '', whatsapp: null }, products)
  const updated = '2026-03-01T11:00:00Z'
  return createSellerData(catalogue, { pictures: NO_PICTURES, previews: {}, hasProfile: true, updated })
}
