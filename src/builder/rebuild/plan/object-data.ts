/** Reads the data of objects from the snapshot and the picture store. */
import { findSellerPictures } from '../../../domain/objects/find-pictures.ts'
import type { SellerData } from '../../../domain/objects/object-data.ts'
import { createSellerData } from '../../../domain/objects/object-data.ts'
import { listPictureSizes } from './page-data.ts'
import type { PageDataSource } from './page-sources.ts'
import { readCatalogue } from './seller-pages.ts'

/** Returns `null` if the seller does not exist. */
export function readObjectData(data: PageDataSource, seller: string): SellerData | null {
  const { snapshot, pictures } = data
  const catalogue = readCatalogue(data, seller)
  if (catalogue === null) return null
  return createSellerData(catalogue, {
    ...findSellerPictures(catalogue, pictures),
    hasProfile: snapshot.hasProfile(seller),
    updated: snapshot.readUpdated(seller),
  })
}

/** Returns the picture files that the pages of an object show, each once. */
export function listObjectFiles({ pictures, previews }: SellerData): readonly string[] {
  return [
    ...new Set([
      ...Object.values(pictures.photos).flatMap(listPictureSizes),
      ...Object.values(previews).flatMap(({ path, sources = [] }) => [
        path,
        ...sources.map((one) => one.path),
      ]),
      ...(pictures.social === null ? [] : [pictures.social]),
    ]),
  ]
}
