/** The data of one page with its hash. The bytes of a page depend on it and on the generation. */
import type { Page, ProductPage, ScreenPage } from '../../../domain/pages/page.ts'
import { formatText, isText } from '../../../domain/pages/page.ts'
import type { Site } from '../../../domain/pages/site.ts'
import type { Picture } from '../../../domain/photos/picture.ts'
import { PHOTO_FOLDER } from '../../../domain/photos/picture.ts'
import { hashBytes } from '../../state/manifest.ts'

/** Data for the compiled renderer, or the text itself. `hash` is SHA-256 in hex. */
export type PageData = { readonly hash: string } & (
  | { readonly kind: 'screen'; readonly page: ScreenPage }
  | { readonly kind: 'text'; readonly text: string }
)

export function createPageData(page: Page, site: Site): PageData {
  if (isText(page)) {
    const text = formatText(page, site)
    return { kind: 'text', hash: hashBytes(text), text }
  }
  // The values of the snapshot are canonical and keys are created in one order, so equal data gives equal text.
  return { kind: 'screen', hash: hashBytes(JSON.stringify(page)), page }
}

/** Returns the picture files that a page shows, each once. */
export function listPictureFiles(data: PageData): readonly string[] {
  if (data.kind !== 'screen') return []
  if (data.page.kind === 'home') return data.page.social === null ? [] : [data.page.social]
  if (data.page.kind === 'product') return listProductFiles(data.page)
  if (data.page.kind !== 'catalogue') return []
  const { photos, social } = data.page.pictures
  const files = Object.values(photos).flatMap(listPictureSizes)
  return [...new Set(social === null ? files : [...files, social])]
}

function listProductFiles({ picture, preview }: ProductPage): readonly string[] {
  const files = picture === null ? [] : listPictureSizes(picture)
  return preview === null ? files : [...files, preview.path]
}

/** Returns the files of a picture. The edge makes the others. */
export function listPictureSizes({ sources, fallback }: Picture): readonly string[] {
  const paths = sources.map(({ path }) => path)
  const files = fallback === undefined ? paths : [...paths, fallback]
  return files.filter((path) => path.startsWith(PHOTO_FOLDER))
}
