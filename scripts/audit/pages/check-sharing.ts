/**
 * Checks that search engines may index the home page, product pages and pages with products, but no other page. Each
 * indexed page must have a description, metadata for sharing, and a canonical address that leads to it. No other page
 * may have a canonical address.
 */
import { listAnswers } from './find-references.ts'
import type { BuiltPage, PageCheck } from './built-page.ts'
import { findAll, readCanonical } from './built-page.ts'

export const checkSharing: PageCheck = (page) => {
  const { path, kind, cards } = page
  const canonical = readCanonical(page)
  const isIndexed = readMeta(page, 'robots') === undefined
  const isWanted = kind === 'home' || kind === 'product' || cards.length > 0
  if (isIndexed !== isWanted)
    return [`is ${isIndexed ? '' : 'not '}open to search engines, but should ${isIndexed ? 'not ' : ''}be`]
  if (!isWanted)
    return canonical === undefined ? [] : ['has a canonical address, although it is closed to search engines']
  if (canonical === undefined) return ['has no canonical address']
  const address = URL.parse(canonical)
  return [
    ...(address !== null && answersWith(address, path)
      ? []
      : [`has the canonical address ${canonical}, which does not lead to this page`]),
    ...['description', 'og:title', 'og:description', 'og:url', 'twitter:card']
      .filter((name) => !readMeta(page, name))
      .map((name) => `has no ${name}`),
  ]
}

function answersWith({ pathname }: URL, path: string): boolean {
  return listAnswers(decodeURIComponent(pathname)).includes(path)
}

function readMeta({ tree }: BuiltPage, name: string): string | undefined {
  const [meta] = findAll(
    tree,
    ({ attribs }) => attribs['name'] === name || (attribs['property'] === name && name.startsWith('og:')),
  )
  return meta?.attribs['content']
}
