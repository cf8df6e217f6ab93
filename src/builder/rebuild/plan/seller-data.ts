/** Reads all that the pages of a seller show from the snapshot and the picture store. */
import { findSellerPictures } from '../../../domain/objects/find-pictures.ts'
import type { SellerData } from '../../../domain/objects/object-data.ts'
import { createSellerData } from '../../../domain/objects/object-data.ts'
import type { PageDataSource } from './page-sources.ts'
import { readCatalogue } from './seller-pages.ts'

/** Returns `null` if the seller does not exist. */
export function readSellerData(data: PageDataSource, seller: string): SellerData | null {
  const { snapshot, pictures } = data
  const catalogue = readCatalogue(data, seller)
  if (catalogue === null) return null
  return createSellerData(catalogue, {
    ...findSellerPictures(catalogue, pictures),
    hasProfile: snapshot.hasProfile(seller),
    updated: snapshot.readUpdated(seller),
  })
}
