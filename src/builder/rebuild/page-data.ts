/** The data of one page with its hash: with the code of its kind, all that its bytes depend on. */
import type { Page, ScreenPage } from '../../domain/pages/page.ts'
import { formatSitemapPage } from '../../domain/pages/sitemap.ts'
import { PHOTO_FOLDER } from '../../domain/photos/picture.ts'
import { hashBytes } from '../state/manifest.ts'

/** What the compiled renderer shows, or text that stands by itself. `hash` is SHA-256 in hex. */
export type PageData = { readonly hash: string } & (
  { readonly kind: 'screen'; readonly page: ScreenPage } | { readonly kind: 'text'; readonly text: string }
)

/** `url` is the origin of the site's addresses. */
export function createPageData(page: Page, url: string): PageData {
  if (page.kind === 'sitemap') {
    const text = formatSitemapPage(page, url)
    return { kind: 'text', hash: hashBytes(text), text }
  }
  // The snapshot's values are canonical, and the rest is built in one order: the same data is the same text.
  return { kind: 'screen', hash: hashBytes(JSON.stringify(page)), page }
}

/** The picture files that a page shows, each once. */
export function listPictureFiles(data: PageData): readonly string[] {
  if (data.kind !== 'screen' || data.page.kind !== 'catalogue') return []
  const { photos, social } = data.page.pictures
  const paths = Object.values(photos).flatMap(({ sources }) => sources.map(({ path }) => path))
  // Others are made by the edge.
  const files = paths.filter((path) => path.startsWith(PHOTO_FOLDER))
  return [...new Set(social === null ? files : [...files, social])]
}
