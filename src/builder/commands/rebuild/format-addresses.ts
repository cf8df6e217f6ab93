/** Names the addresses that a rebuild rendered. */
import { formatCataloguePath, formatProductPath } from '../../../domain/pages/paths.ts'
import { cleanText } from '../../../domain/documents/text.ts'
import { formatNumber } from '../../format-numbers.ts'
import type { PageSource } from '../../rebuild/page-sources.ts'
import type { RebuildOutcome } from '../../rebuild/rebuild.ts'
import type { Row } from './format-rows.ts'

const SHOWN = 5

// The default origin is that of `npm run preview`, which need not run.
const LOCAL = 'http://localhost'

/** Catalogues come first, pages that stand for unknown addresses and files of the sitemap last. */
export function formatAddresses({ preparation, failures, url }: RebuildOutcome): readonly Row[] {
  const failed = new Set(failures.map(({ path }) => path))
  const pages = preparation.plan.render.map(({ page }) => page).filter(({ path }) => !failed.has(path))
  const sorted = [
    ...pages.filter(({ kind }) => kind === 'catalogue'),
    ...pages.filter(({ kind }) => kind === 'product'),
    ...pages.filter(({ seller, kind }) => seller === null && kind !== 'sitemap'),
    ...pages.filter(({ kind }) => kind === 'unknown-product' || kind === 'sitemap'),
  ]
  const origin = url.startsWith(LOCAL) ? '' : url
  const lines = sorted.slice(0, SHOWN).map((page) => cleanText(`${origin}${formatAddress(page)}`))
  const left = sorted.length - lines.length
  const all = left === 0 ? lines : [...lines, `and ${formatNumber(left)} more`]
  return all.map((line, index): Row => [index === 0 ? 'rendered' : '', line])
}

function formatAddress({ path, kind, seller, product }: PageSource): string {
  if (seller !== null && kind !== 'unknown-product')
    return product === null ? formatCataloguePath(seller) : formatProductPath(seller, product)
  return `/${path.replace(/(^index)?\.html$/, '')}`
}
