/** The data of objects, from the snapshot and the picture store. */
import { findSellerPictures } from '../../domain/objects/find-pictures.ts'
import type { HomeData, ObjectData, ObjectName, SellerData } from '../../domain/objects/object-data.ts'
import { createSellerData, HOME_OBJECT } from '../../domain/objects/object-data.ts'
import { listPictureSizes } from './page-data.ts'
import type { PageDataSource } from './page-sources.ts'
import { readHome } from './page-sources.ts'
import { readCatalogue } from './seller-pages.ts'

/** Returns `null` if the seller does not exist. */
export function readObjectData(data: PageDataSource, name: ObjectName): ObjectData | null {
  return name === HOME_OBJECT ? readHome(data) : readSellerData(data, name)
}

function readSellerData(data: PageDataSource, seller: string): SellerData | null {
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
export function listObjectFiles(data: ObjectData): readonly string[] {
  if (data.kind === 'home') return listSocial(data)
  const { pictures, previews } = data
  return [
    ...new Set([
      ...Object.values(pictures.photos).flatMap(listPictureSizes),
      ...Object.values(previews).flatMap(({ path, sources = [] }) => [
        path,
        ...sources.map((one) => one.path),
      ]),
      ...listSocial(pictures),
    ]),
  ]
}

function listSocial({ social }: Pick<HomeData, 'social'>): readonly string[] {
  return social === null ? [] : [social]
}
