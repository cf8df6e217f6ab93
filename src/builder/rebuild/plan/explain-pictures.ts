/** Finds the pictures of a planned page that changed. */
import { listPictureFiles, listPictures } from './page-data.ts'
import type { PageSource } from './page-sources.ts'
import { readPageData } from './page-sources.ts'
import type { RebuildState } from '../world.ts'

export type PictureCause =
  | { readonly kind: 'photo'; readonly address: string }
  | { readonly kind: 'social picture' }
  | { readonly kind: 'lost picture'; readonly file: string }

/** Returns the pictures that are new on the page. */
export function explainPictures(page: PageSource, { record }: RebuildState): readonly PictureCause[] {
  const data = readPageData(page)
  if (data === null) return []
  const before = new Set(record.readShown(page.path))
  const added = new Set(listPictureFiles(data).filter((path) => !before.has(path)))
  const { photos, social } = listPictures(data.page)
  const changed = photos.filter(({ paths }) => paths.some((path) => added.has(path)))
  return [
    ...changed.map(({ address }): PictureCause => ({ kind: 'photo', address })),
    ...(social !== null && added.has(social) ? [{ kind: 'social picture' } as const] : []),
  ]
}

/** Returns the pictures that the page no longer shows. */
export function listLostPictures(page: PageSource, { record }: RebuildState): readonly PictureCause[] {
  const data = readPageData(page)
  const shown = new Set(data === null ? [] : listPictureFiles(data))
  const lost = record.readShown(page.path).filter((file) => !shown.has(file))
  return lost.map((file) => ({ kind: 'lost picture', file }))
}
