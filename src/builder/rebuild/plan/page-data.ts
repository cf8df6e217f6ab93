/** Creates the data of one page, with its hash. The bytes of a page depend only on this data and on the generation. */
import type { Page, ProductPage, ScreenPage, TextPage } from '../../../domain/pages/page.ts'
import { formatText, isText } from '../../../domain/pages/page.ts'
import type { Site } from '../../../domain/pages/site.ts'
import type { Picture } from '../../../domain/photos/picture.ts'
import { NO_PICTURES, PHOTO_FOLDER } from '../../../domain/photos/picture.ts'
import { hashBytes } from '../../state/manifest.ts'

/**
 * `screen`: data for the compiled renderer. `text`: the finished text, and the page that it was formatted from. `hash`
 * is SHA-256 in hex.
 */
export type PageData = { readonly hash: string } & (
  | { readonly kind: 'screen'; readonly page: ScreenPage }
  | { readonly kind: 'text'; readonly page: TextPage; readonly text: string }
)

export function createPageData(page: Page, site: Site): PageData {
  if (isText(page)) {
    const text = formatText(page, site)
    return { kind: 'text', page, hash: hashBytes(text), text }
  }
  // The snapshot's values are canonical, and keys are always created in the same order, so equal data gives equal JSON.
  return { kind: 'screen', hash: hashBytes(JSON.stringify(page)), page }
}

/** Returns the picture files that a page shows, each once. */
export function listPictureFiles({ page }: PageData): readonly string[] {
  const { photos, social } = listPictures(page)
  const files = photos.flatMap(({ paths }) => paths)
  return [...new Set(social === null ? files : [...files, social])]
}

interface PagePictures {
  readonly photos: readonly { readonly address: string; readonly paths: readonly string[] }[]
  readonly social: string | null
}

/**
 * Returns the pictures of a page. `photos` has the cropped photos of cards, from the page's `pictures`, and the whole
 * photos in its `previews`. `social` is the picture of the page's link preview. For the page of a product, see
 * `listProductPictures`.
 */
export function listPictures(page: Page): PagePictures {
  if (page.kind === 'product') return listProductPictures(page)
  const { photos, social } = 'pictures' in page ? page.pictures : NO_PICTURES
  const cards = Object.entries(photos).map(([address, picture]) => ({
    address,
    paths: listPictureSizes(picture),
  }))
  const whole = Object.entries('previews' in page ? page.previews : {}).map(([address, { path }]) => ({
    address,
    paths: [path].filter(isFile),
  }))
  return { photos: [...cards, ...whole], social: 'social' in page ? page.social : social }
}

function isFile(path: string): boolean {
  return path.startsWith(PHOTO_FOLDER)
}

// Counts the preview among the product's photos if it was made from the product's photo. Otherwise the preview is the
// seller's social picture.
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

/** Returns the paths of a picture's sizes that are files. The edge makes the other sizes. */
function listPictureSizes({ sources, fallback }: Picture): readonly string[] {
  const paths = sources.map(({ path }) => path)
  const files = fallback === undefined ? paths : [...paths, fallback]
  return files.filter(isFile)
}
