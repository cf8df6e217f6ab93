/** Lists the picture files that a page shows. */
import type { Picture } from '../photos/picture.ts'
import { PHOTO_FOLDER } from '../photos/picture.ts'
import type { Page } from './page.ts'

/** Returns the picture files that a page shows, each once. Other sizes are made by the edge, or are not ours. */
export function listPictureFiles(page: Page): readonly string[] {
  return [...new Set(listShown(page))]
}

function listShown(page: Page): readonly string[] {
  if (page.kind === 'product')
    return [...listSizes(page.picture), ...(page.preview === null ? [] : [page.preview.path])]
  const social = 'social' in page ? page.social : 'pictures' in page ? page.pictures.social : null
  const photos = 'pictures' in page ? [...page.pictures.photos.values()].flatMap(listSizes) : []
  const previews = 'previews' in page ? Object.values(page.previews).map(({ path }) => path) : []
  return [...photos, ...previews.filter(isFile), ...(social === null ? [] : [social])]
}

function listSizes(picture: Picture | null): readonly string[] {
  if (picture === null) return []
  const paths = picture.sources.map(({ path }) => path)
  return (picture.fallback === undefined ? paths : [...paths, picture.fallback]).filter(isFile)
}

function isFile(path: string): boolean {
  return path.startsWith(PHOTO_FOLDER)
}
