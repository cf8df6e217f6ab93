/**
 * Checks that a product's structured data says what its page shows, with the fields that search engines require.
 * Source: https://developers.google.com/search/docs/appearance/structured-data/product-variants
 */
import type { InferOutput } from 'valibot'
import {
  array,
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
import type { BuiltPage, Element } from './built-page.ts'
import { findAll, findNamed, hasClass, readText } from './built-page.ts'

const IN_STOCK = 'https://schema.org/InStock'
const TEXT = pipe(string(), minLength(1, 'is empty'))
const ADDRESS = pipe(string(), regex(/^https?:\/\//, 'is not an absolute address'))

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
    seller: strictObject({ '@type': literal('Organization'), name: TEXT }),
  }),
})

const GROUP = strictObject({
  '@context': literal('https://schema.org'),
  '@type': literal('ProductGroup'),
  name: TEXT,
  url: ADDRESS,
  image: ADDRESS,
  productGroupID: TEXT,
  variesBy: array(literal('https://schema.org/size')),
  hasVariant: pipe(array(VARIANT), minLength(1, 'is empty')),
})

/** Whether search engines show such a product: it has a picture, and a size with a price. */
export function isTold(page: BuiltPage): boolean {
  const previews = findAll(page.tree, ({ attribs }) => attribs['property'] === 'og:image')
  const photo = page.cards.flatMap((card) => findNamed(card, 'img'))[0]?.attribs['src']
  const hasPicture = previews.length > 0 || (photo !== undefined && photo !== NO_PHOTO)
  return hasPicture && listShown(page).length > 0
}

export function checkProductGroup(data: unknown, page: BuiltPage): readonly string[] {
  const result = safeParse(GROUP, data)
  if (!result.success) {
    const [{ path, message }] = result.issues
    return [`has data that is no product: ${path?.map(({ key }) => key).join('.') ?? ''} ${message}`]
  }
  const { name, url, hasVariant } = result.output
  const canonical = findAll(page.tree, ({ attribs }) => attribs['rel'] === 'canonical')[0]?.attribs['href']
  const heading = readText(findNamed(page.tree, 'h1')[0])
  const told = [name.replace(/\s+/g, ' ').trim(), url, ...hasVariant.map(describeVariant)].join(' | ')
  const shown = [heading, canonical, ...listShown(page)].join(' | ')
  return told === shown ? [] : [`shows ${shown}, and says ${told}`]
}

function describeVariant({ size, offers }: InferOutput<typeof VARIANT>): string {
  return describe(size, formatPrice(offers.price), offers.availability === IN_STOCK)
}

function listShown({ tree }: BuiltPage): readonly string[] {
  return findAll(tree, (element) => hasClass(element, 'size'))
    .map((line) => ({
      size: readText(findNamed(line, 'span')[0]),
      price: readText(findAll(line, (element) => hasClass(element, 'price'))[0]),
      isAvailable: isAvailable(line),
    }))
    .filter(({ price }) => price.startsWith('RD$'))
    .map(({ size, price, isAvailable: available }) => describe(size, price, available))
}

function isAvailable(line: Element): boolean {
  return 'data-available' in line.attribs
}

function describe(size: string, price: string, available: boolean): string {
  return `${size} ${price} ${available ? 'available' : 'not available'}`
}
