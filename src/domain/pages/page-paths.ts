/** The path of the request for each kind of page. */
import type { PageKind } from './page.ts'
import { SEARCH_PATH } from './paths.ts'

/** The id of a catalogue is a placeholder, because its page depends on its data alone. */
export const PAGE_PATHS: Readonly<Record<PageKind, string>> = {
  home: '/',
  catalogue: '/catalogo/id',
  product: '/catalogo/id/id',
  'unknown-product': '/catalogo/id/404',
  'unknown-catalogue': '/catalogo/404',
  'not-found': '/404',
  search: SEARCH_PATH,
}
