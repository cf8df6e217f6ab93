/** Checks that the structured data of a catalogue or of a product says what its page shows. */
import type { InferOutput } from 'valibot'
import {
  array,
  literal,
  number,
  optional,
  picklist,
  pipe,
  regex,
  safeParse,
  strictObject,
  string,
} from 'valibot'
import { formatPrice } from '../../../src/domain/documents/price.ts'
import { MOST_LISTED } from '../../../src/domain/pages/product-list.ts'
import type { BuiltPage, Element, PageCheck } from './built-page.ts'
import { findAll, findNamed, hasClass, readCanonical, readPageText } from './built-page.ts'
import { checkProductData, describeIssues, describeOffer, IN_STOCK } from './product-data.ts'

const TYPE = 'application/ld+json'

const OFFER = strictObject({
  '@type': literal('Offer'),
  name: optional(string()),
  price: number(),
  priceCurrency: literal('DOP'),
  availability: picklist([IN_STOCK, 'https://schema.org/OutOfStock']),
})

const LIST = strictObject({
  '@context': literal('https://schema.org'),
  '@type': literal('ItemList'),
  itemListElement: array(
    strictObject({
      '@type': literal('ListItem'),
      position: number(),
      url: optional(string()),
      item: optional(
        strictObject({
          '@type': literal('Product'),
          name: string(),
          url: string(),
          image: optional(pipe(string(), regex(/^https?:\/\//, 'is not an absolute address'))),
          offers: optional(array(OFFER), []),
        }),
      ),
    }),
  ),
})

/**
 * A product as one line of text, from the page or from its structured data, to compare the two: position, name,
 * address, and sizes with a price. If the structured data lists only addresses: position and address.
 */
type Told = string

export const checkStructuredData: PageCheck = (page) => {
  const blocks = findNamed(page.tree, 'script')
    .filter(({ attribs }) => attribs['type'] === TYPE)
    .map(readBlock)
  if (page.kind === 'product') return checkProductData(blocks, page)
  const expected = page.cards.length > 0 ? 1 : 0
  if (blocks.length !== expected)
    return [`has ${blocks.length} blocks of structured data instead of ${expected}`]
  return blocks.flatMap((block) => checkList(block, page))
}

function checkList(data: unknown, page: BuiltPage): readonly string[] {
  const result = safeParse(LIST, data)
  if (!result.success) return describeIssues('list of products', result.issues)
  const { itemListElement: listed } = result.output
  const describe = listed.some(({ item }) => item === undefined) ? describeAddress : describeCard
  const told = listed.map(describeItem)
  const address = readCanonical(page)
  const shown = page.cards.slice(0, MOST_LISTED).map((card, index) => describe(card, index, address))
  const length = Math.max(told.length, shown.length)
  const differing = Array.from({ length }, (_, index) => index).find((index) => told[index] !== shown[index])
  if (differing === undefined) return []
  return [
    `shows ${shown[differing] ?? 'nothing'}, but its structured data says ${told[differing] ?? 'nothing'}`,
  ]
}

function describeItem({ position, url, item }: InferOutput<typeof LIST>['itemListElement'][number]): Told {
  if (item === undefined) return [position, url].join(' | ')
  const offers = item.offers.map(({ name = '', price, availability }) =>
    describeOffer(name, formatPrice(price), availability === IN_STOCK),
  )
  return [position, item.name.replace(/\s+/g, ' ').trim(), item.url, ...offers].join(' | ')
}

/** Describes a card by position and address, for structured data that lists only addresses. */
function describeAddress(card: Element, index: number, address: string | undefined): Told {
  return [index + 1, findAddress(card, address)].join(' | ')
}

function describeCard(card: Element, index: number, address: string | undefined): Told {
  const price = readPageText(findAll(card, (element) => hasClass(element, 'price'))[0])
  const isSoldOut = findAll(card, (element) => hasClass(element, 'sold-out')).length > 0
  const decants = findNamed(card, 'div').map((line) => ({
    size: readPageText(findNamed(line, 'dt')[0]),
    price: readPageText(findNamed(line, 'dd')[0]).split(/\s*,\s/)[0] ?? '',
    available: 'data-available' in line.attribs,
  }))
  const offers = [{ size: '', price, available: !isSoldOut }, ...decants]
    .filter((offer) => offer.price.startsWith('RD$'))
    .map((offer) => describeOffer(offer.size, offer.price, offer.available))
  const name = readPageText(findNamed(card, 'h2')[0])
  return [index + 1, name, findAddress(card, address), ...offers].join(' | ')
}

function findAddress(card: Element, base: string | undefined): string | undefined {
  const link = findNamed(card, 'a')[0]?.attribs['href'] ?? `#${card.attribs['id']}`
  return URL.parse(link, base)?.href
}

function readBlock(block: Element): unknown {
  try {
    return JSON.parse(readRaw(block))
  } catch {
    // `null` matches no schema, so invalid JSON is reported.
    return null
  }
}

function readRaw(block: Element): string {
  return block.children.map((child) => ('data' in child ? child.data : '')).join('')
}
