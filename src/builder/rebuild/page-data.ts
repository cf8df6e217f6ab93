/** The data of one page with its hash: with the code of its kind, all that its bytes depend on. */
import type { Page } from '../../domain/pages/page.ts'
import { formatSitemapPage } from '../../domain/pages/sitemap.ts'
import { PHOTO_FOLDER } from '../../domain/photos/picture.ts'
import { hashBytes } from '../state/manifest.ts'

export interface PageData {
  readonly page: Page
  /** SHA-256 in hex. */
  readonly hash: string
}

/** `url` is the origin of the site's addresses. */
export function createPageData(page: Page, url: string): PageData {
  // The snapshot's values are canonical, and the rest is built in one order: the same data is the same text. A file of
  // the sitemap comes from no compiled route: its own text stands for it.
  const text = page.kind === 'sitemap' ? formatSitemapPage(page, url) : JSON.stringify(page)
  return { page, hash: hashBytes(text) }
}

/** The picture files that a page shows, each once. */
export function listPictureFiles(page: Page): readonly string[] {
  if (page.kind !== 'catalogue') return []
  const { photos, social } = page.pictures
  const paths = Object.values(photos).flatMap(({ sources }) => sources.map(({ path }) => path))
  // Others are made by the edge.
  const files = paths.filter((path) => path.startsWith(PHOTO_FOLDER))
  return [...new Set(social === null ? files : [...files, social])]
}
