/**
 * Checks that a product's structured data says what its page shows, with the fields that search engines require.
 * Source: https://developers.google.com/search/docs/appearance/structured-data/product-variants
 */
import type { BaseIssue, InferOutput } from 'valibot'
import {
  array,
  getDotPath,
  length,
  literal,
  minLength,
  number,
  picklist,
  pipe,
  regex,
  safeParse,
  strictObject,
  string,
} from 'valibot'
import { formatPrice } from '../../../src/domain/documents/price.ts'
import { NO_PHOTO } from '../../../src/domain/pages/paths.ts'
import type { BuiltPage } from './built-page.ts'
import { findAll, findNamed, hasClass, readCanonical, readPageText } from './built-page.ts'

export const IN_STOCK = 'https://schema.org/InStock'
const TEXT = pipe(string(), minLength(1, 'is empty'))
const ADDRESS = pipe(string(), regex(/^https?:\/\//, 'is not an absolute address'))

const TRAIL = strictObject({
  '@context': literal('https://schema.org'),
  '@type': literal('BreadcrumbList'),
  itemListElement: pipe(
    array(strictObject({ '@type': literal('ListItem'), position: number(), name: TEXT, item: ADDRESS })),
    length(3, 'does not lead through home and catalogue'),
  ),
})

const VARIANT = strictObject({
  '@type': literal('Product'),
  name: TEXT,
  sku: TEXT,
  size: TEXT,
  image: ADDRESS,
  offers: strictObject({
    '@type': literal('Offer'),
    url: ADDRESS,
    price: number(),
    priceCurrency: literal('DOP'),
    availability: picklist([IN_STOCK, 'https://schema.org/OutOfStock']),
    itemCondition: literal('https://schema.org/NewCondition'),
    seller: strictObject({ '@type': literal('Organization'), name: TEXT }),
  }),
})

const GROUP = strictObject({
  '@context': literal('https://schema.org'),
  '@type': literal('ProductGroup'),
  name: TEXT,
  description: TEXT,
  url: ADDRESS,
  image: ADDRESS,
  productGroupID: TEXT,
  variesBy: array(literal('https://schema.org/size')),
  hasVariant: pipe(array(VARIANT), minLength(1, 'is empty')),
})

/**
 * Checks the breadcrumb trail and the data of the product. The latter must exist if and only if the product has a photo
 * and a size with a price.
 */
export function checkProductData(blocks: readonly unknown[], page: BuiltPage): readonly string[] {
  const [trail, ...groups] = blocks
  const photo = page.cards.flatMap((card) => findNamed(card, 'img'))[0]?.attribs['src']
  const isDescribed = photo !== undefined && photo !== NO_PHOTO && listShown(page).length > 0
  if (groups.length !== Number(isDescribed))
    return [`has structured data of ${groups.length} products instead of ${Number(isDescribed)}`]
  return [...checkTrail(trail, page), ...groups.flatMap((group) => checkGroup(group, page))]
}

function checkTrail(data: unknown, page: BuiltPage): readonly string[] {
  const result = safeParse(TRAIL, data)
  if (!result.success) return describeIssues('trail', result.issues)
  const told = result.output.itemListElement.at(-1)?.item
  const canonical = readCanonical(page)
  return told === canonical
    ? []
    : [`has the canonical address ${canonical}, but its breadcrumb trail leads to ${told}`]
}

function checkGroup(data: unknown, page: BuiltPage): readonly string[] {
  const result = safeParse(GROUP, data)
  if (!result.success) return describeIssues('product', result.issues)
  const { name, url, hasVariant } = result.output
  const addresses = new Set(hasVariant.map(({ offers }) => offers.url))
  if (addresses.size < hasVariant.length) return ['has several variants with the same address']
  const heading = readPageText(findNamed(page.tree, 'h1')[0])
  const told = [name.replace(/\s+/g, ' ').trim(), url, ...hasVariant.map(describeVariant)].join(' | ')
  const shown = [heading, readCanonical(page), ...listShown(page)].join(' | ')
  return told === shown ? [] : [`shows ${shown}, but its structured data says ${told}`]
}

/** Describes the first mismatch between data and schema, as a phrase that follows the page's path. */
export function describeIssues(
  kind: string,
  [issue]: readonly [BaseIssue<unknown>, ...unknown[]],
): readonly string[] {
  return [`has structured data that is not a valid ${kind}: ${getDotPath(issue) ?? ''} ${issue.message}`]
}

function describeVariant({ size, offers }: InferOutput<typeof VARIANT>): string {
  return describeOffer(size, formatPrice(offers.price), offers.availability === IN_STOCK)
}

function listShown({ tree }: BuiltPage): readonly string[] {
  return findAll(tree, (element) => hasClass(element, 'size'))
    .map((line) => ({
      // On the page, a decant is called `Decant 5 ml`; cards and structured data call it `5ML`.
      size: readPageText(findNamed(line, 'span')[0]).replace(/^Decant (\d+) ml$/, '$1ML'),
      price: readPageText(findAll(line, (element) => hasClass(element, 'price'))[0]),
      isAvailable: 'data-available' in line.attribs,
    }))
    .filter(({ price }) => price.startsWith('RD$'))
    .map(({ size, price, isAvailable }) => describeOffer(size, price, isAvailable))
}

/** `size` is empty for the offer that a card shows without a size. */
export function describeOffer(size: string, price: string, available: boolean): string {
  return `${size} ${price} ${available ? 'available' : 'not available'}`.trim()
}
