/** Creates the data of objects from documents, with functions of `src/domain` that builders use, too. */
import { createCatalogue } from '../../domain/catalogue/catalogue.ts'
import { limitProducts } from '../../domain/catalogue/product-limit.ts'
import type { SourceDocument } from '../../domain/documents/document.ts'
import type { Entry } from '../../domain/documents/parse-document.ts'
import { parseDocument } from '../../domain/documents/parse-document.ts'
import { formatUpdateTime } from '../../domain/documents/update-time.ts'
import type { DataFacts } from '../../domain/objects/data-facts.ts'
import type { MadePictures } from '../../domain/objects/find-pictures.ts'
import { createPictureFinder, findSellerPictures } from '../../domain/objects/find-pictures.ts'
import type { SellerData } from '../../domain/objects/object-data.ts'
import { createSellerData } from '../../domain/objects/object-data.ts'
import { dropLostPhotos } from '../../domain/photos/lost-photos.ts'

/** The inputs of an object's data other than documents. */
export interface DataBase {
  readonly facts: DataFacts
  /**
   * The data of the object that is replaced; `null` if there is none. With `PHOTOS=files`, the new data takes its
   * pictures from it, because only builders make pictures.
   */
  readonly old: SellerData | null
}

/** Returns `null` if the seller does not exist, which means that no valid document belongs to the seller. */
export function createSellerObject(
  seller: string,
  documents: readonly SourceDocument[],
  { facts, old }: DataBase,
): SellerData | null {
  const own = parseAll(documents).filter(({ entry }) => entry.seller === seller)
  if (own.length === 0) return null
  const profile = own.flatMap(({ entry }) => (entry.kind === 'profile' ? [entry.profile] : []))[0] ?? null
  const products = own.flatMap(({ entry }) => (entry.kind === 'product' ? [entry.product] : []))
  const whole = createCatalogue(seller, profile, limitProducts(products, facts.maxProducts))
  const catalogue = dropLostPhotos(whole, new Set(facts.publicFiles))
  return createSellerData(catalogue, {
    ...findSellerPictures(catalogue, createPictureFinder(facts.pictures, createKnownPictures(old))),
    hasProfile: profile !== null,
    updated: own.reduce((newest, { updated }) => (updated > newest ? updated : newest), ''),
  })
}

/** Returns the distinct sellers, except `seller`, whose pages show these documents. */
export function findOtherSellers(seller: string, documents: readonly SourceDocument[]): readonly string[] {
  const sellers = parseAll(documents).map(({ entry }) => entry.seller)
  return [...new Set(sellers)].filter((one) => one !== seller)
}

interface TimedEntry {
  readonly entry: Entry
  /** RFC 3339 in UTC; empty when unknown. */
  readonly updated: string
}

/**
 * Leaves out invalid documents. If a document occurs more than once, only its last occurrence is used, even if that is
 * invalid.
 */
function parseAll(documents: readonly SourceDocument[]): readonly TimedEntry[] {
  const last = new Map(documents.map((document) => [`${document.collection}/${document.id}`, document]))
  return [...last.values()].flatMap((document) => {
    // Problems are not reported here, because a builder's nightly run reads the same documents and reports them.
    const entry = parseDocument(document, () => {})
    return entry === null ? [] : [{ entry, updated: formatUpdateTime(document.updateTime) ?? '' }]
  })
}

/** Returns the pictures that the old object shows, because the Worker makes no pictures itself. */
function createKnownPictures(old: SellerData | null): MadePictures {
  const { pictures, previews } = old ?? { pictures: { photos: {}, social: null }, previews: {} }
  const { social } = pictures
  const photos = new Map(Object.entries(pictures.photos))
  const shown = new Map(Object.entries(previews))
  return {
    findPictures: () => photos,
    findPreview: (address) => shown.get(address) ?? null,
    findSocial: () => (social === null ? null : { path: social }),
  }
}
