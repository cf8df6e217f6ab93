/** The address under which the renderer is asked for each kind of page. */
import type { PageKind } from '../../domain/pages/page.ts'

/** A catalogue's route has a placeholder: its page is made of its data alone, whatever its id. */
export const PAGE_PATHS: Readonly<Record<PageKind, string>> = {
  home: '/',
  catalogue: '/catalogo/id',
  'unknown-catalogue': '/catalogo/404',
  'not-found': '/404',
}
