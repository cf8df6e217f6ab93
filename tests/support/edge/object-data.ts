/** Data of objects. */
import type { SellerData } from '../../../src/domain/objects/object-data.ts'

/** `files` are the pictures of the seller's photos. */
export function createSeller(seller: string, name: string, files: readonly string[] = []): SellerData {
  return {
    kind: 'seller',
    catalogue: { seller, name, products: [], whatsapp: null },
    pictures: {
      photos: Object.fromEntries(
        files.map((path) => [path, { type: null, sources: [{ path, width: 1 }], tone: null }]),
      ),
      social: null,
    },
    previews: {},
    hasProfile: true,
    updated: '',
  }
}
