/** Names the addresses that a rebuild rendered. */
import { isTextKind } from '../../../domain/documents/page-table.ts'
import { formatCataloguePath, formatProductPath } from '../../../domain/pages/paths.ts'
import { cleanText } from '../../../domain/documents/text.ts'
import type { PageSource } from '../../rebuild/plan/page-sources.ts'
import type { RebuildOutcome } from '../../rebuild/rebuild.ts'
import type { LabelledRow } from '../format-lines.ts'
import { listFirst } from '../format-lines.ts'

const SHOWN = 5

// The default origin is that of `npm run preview`, which need not run.
const LOCAL = 'http://localhost'

/** Catalogues come first, pages that stand for unknown addresses and files of the sitemap last. */
export function formatAddresses({ preparation, failures, url }: RebuildOutcome): readonly LabelledRow[] {
  const failed = new Set(failures.map(({ path }) => path))
  const pages = preparation.plan.render.filter(({ path }) => !failed.has(path))
  const sorted = [
    ...pages.filter(({ kind }) => kind === 'catalogue'),
    ...pages.filter(({ kind }) => kind === 'product'),
    ...pages.filter(({ seller, kind }) => seller === null && !isTextKind(kind)),
    ...pages.filter(({ kind }) => kind === 'unknown-product' || isTextKind(kind)),
  ]
  const origin = url.startsWith(LOCAL) ? '' : url
  const format = (page: PageSource): string => cleanText(`${origin}${formatAddress(page)}`)
  return listFirst(sorted, format, { most: SHOWN }).map((line, index): LabelledRow => [
    index === 0 ? 'rendered' : '',
    line,
  ])
}

function formatAddress({ path, kind, seller, product }: PageSource): string {
  if (seller !== null && kind !== 'unknown-product')
    return product === null ? formatCataloguePath(seller) : formatProductPath(seller, product)
  return `/${path.replace(/(^index)?\.html$/, '')}`
}
