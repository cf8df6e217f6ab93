/** Lists the addresses of the pages that a rebuild rendered. */
import { isTextKind } from '../../../domain/documents/page-table.ts'
import { formatPagePath } from '../../../domain/documents/page-address.ts'
import { cleanText } from '../../../domain/documents/text.ts'
import type { PageSource } from '../../rebuild/plan/page-sources.ts'
import type { RebuildOutcome } from '../../rebuild/rebuild.ts'
import type { LabelledRow } from '../terminal/format-lines.ts'
import { listFirst } from '../terminal/format-lines.ts'

const SHOWN = 5

// Addresses of a local site are shown without their origin, because the local server (`npm run preview`) may not be
// running.
const LOCAL = 'http://localhost'

/**
 * Lists the addresses of the first few rendered pages: catalogues, then products, then HTML pages of no seller, then
 * all other pages.
 */
export function formatAddresses({ preparation, failures }: RebuildOutcome): readonly LabelledRow[] {
  const failed = new Set(failures.map(({ path }) => path))
  const pages = preparation.plan.render.filter(({ path }) => !failed.has(path))
  const sorted = pages.toSorted((a, b) => rankPage(a) - rankPage(b))
  const { url } = preparation.planInput.settings
  const origin = url.startsWith(LOCAL) ? '' : url
  const format = (page: PageSource): string => cleanText(`${origin}${formatAddress(page)}`)
  return listFirst(sorted, format, { most: SHOWN }).map((line, index): LabelledRow => [
    index === 0 ? 'rendered' : '',
    line,
  ])
}

function rankPage({ kind, seller }: PageSource): number {
  const rank = ['catalogue', 'product'].indexOf(kind)
  if (rank !== -1) return rank
  return seller === null && !isTextKind(kind) ? 2 : 3
}

function formatAddress(page: PageSource): string {
  return page.seller === null ? `/${page.path.replace(/(^index)?\.html$/, '')}` : formatPagePath(page)
}
