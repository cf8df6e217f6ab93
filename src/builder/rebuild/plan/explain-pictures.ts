/** Finds which pictures of a planned page changed. */
import type { ProductPage, ScreenPage } from '../../../domain/pages/page.ts'
import { PHOTO_FOLDER } from '../../../domain/photos/picture.ts'
import { listPictureFiles, listPictureSizes } from './page-data.ts'
import type { PageSource } from './page-sources.ts'
import type { RebuildState } from '../world.ts'

export type PictureCause =
  | { readonly kind: 'photo'; readonly address: string }
  | { readonly kind: 'social picture' }
  | { readonly kind: 'lost picture'; readonly file: string }

/** Returns the pictures that are new on the page. */
export function explainPictures(page: PageSource, { record }: RebuildState): readonly PictureCause[] {
  const data = page.read()
  if (data?.kind !== 'screen') return []
  const before = new Set(record.readShown(page.path))
  const added = new Set(listPictureFiles(data).filter((path) => !before.has(path)))
  const { photos, social } = listPictures(data.page)
  const changed = photos.filter(({ paths }) => paths.some((path) => added.has(path)))
  return [
    ...changed.map(({ address }): PictureCause => ({ kind: 'photo', address })),
    ...(social !== null && added.has(social) ? [{ kind: 'social picture' } as const] : []),
  ]
}

interface PagePictures {
  readonly photos: readonly { readonly address: string; readonly paths: readonly string[] }[]
  readonly social: string | null
}

function listPictures(page: ScreenPage): PagePictures {
  if (page.kind === 'home') return { photos: [], social: page.social }
  if (page.kind === 'product') return listProductPictures(page)
  if (page.kind !== 'catalogue') return { photos: [], social: null }
  const photos = Object.entries(page.pictures.photos)
  return {
    photos: photos.map(([address, picture]) => ({ address, paths: listPictureSizes(picture) })),
    social: page.pictures.social,
  }
}

// The preview is made of the photo, or is that of the seller.
function listProductPictures({ product, picture, preview }: ProductPage): PagePictures {
  const own = [
    ...(picture === null ? [] : listPictureSizes(picture)),
    ...(preview?.path.startsWith(PHOTO_FOLDER) ? [preview.path] : []),
  ]
  return {
    photos: product.photo === null ? [] : [{ address: product.photo, paths: own }],
    social: preview === null || own.includes(preview.path) ? null : preview.path,
  }
}

/** Returns the pictures that the page no longer shows. */
export function listLostPictures(page: PageSource, { record }: RebuildState): readonly PictureCause[] {
  const data = page.read()
  const shown = new Set(data === null ? [] : listPictureFiles(data))
  const lost = record.readShown(page.path).filter((file) => !shown.has(file))
  return lost.map((file) => ({ kind: 'lost picture', file }))
}
