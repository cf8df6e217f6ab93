/** Names the addresses that a rebuild rendered. */
import { formatCataloguePath } from '../../../domain/pages/paths.ts'
import { cleanText } from '../../../domain/documents/text.ts'
import { formatNumber } from '../../format-numbers.ts'
import type { PageSource } from '../../rebuild/page-sources.ts'
import type { RebuildOutcome } from '../../rebuild/rebuild.ts'
import type { Row } from './format-rows.ts'

const SHOWN = 5

// The default origin is that of `npm run preview`, which need not run.
const LOCAL = 'http://localhost'

/** Catalogues come first, files of the sitemap last. */
export function formatAddresses({ preparation, failures, url }: RebuildOutcome): readonly Row[] {
  const failed = new Set(failures.map(({ path }) => path))
  const pages = preparation.plan.render.map(({ page }) => page).filter(({ path }) => !failed.has(path))
  const sorted = [
    ...pages.filter(({ seller }) => seller !== null),
    ...pages.filter(({ seller, kind }) => seller === null && kind !== 'sitemap'),
    ...pages.filter(({ kind }) => kind === 'sitemap'),
  ]
  const origin = url.startsWith(LOCAL) ? '' : url
  const lines = sorted.slice(0, SHOWN).map((page) => cleanText(`${origin}${formatAddress(page)}`))
  const left = sorted.length - lines.length
  const all = left === 0 ? lines : [...lines, `and ${formatNumber(left)} more`]
  return all.map((line, index): Row => [index === 0 ? 'rendered' : '', line])
}

function formatAddress({ path, seller }: PageSource): string {
  if (seller !== null) return formatCataloguePath(seller)
  return `/${path.replace(/(^index)?\.html$/, '')}`
}
