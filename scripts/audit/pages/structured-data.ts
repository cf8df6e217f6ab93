/** Checks that the structured data of a catalogue or of a product says what its page shows. */
import { formatPrice } from '../../../src/domain/documents/price.ts'
import { NO_PHOTO } from '../../../src/domain/pages/paths.ts'
import { MOST_LISTED } from '../../../src/domain/pages/product-list.ts'
import type { BuiltPage, Element, PageCheck } from './built-page.ts'
import { findAll, findNamed, hasClass, readCanonical, readPageText } from './built-page.ts'

const TYPE = 'application/ld+json'
const IN_STOCK = 'https://schema.org/InStock'

/** A product as one line of text, from the page or from its structured data, to compare the two. */
type Told = string

export const checkStructuredData: PageCheck = (page) => {
  const blocks = findNamed(page.tree, 'script')
    .filter(({ attribs }) => attribs['type'] === TYPE)
    .map(readBlock)
  const [told, shown] =
    page.kind === 'product' ? compareProduct(blocks, page) : compareCatalogue(blocks, page)
  const length = Math.max(told.length, shown.length)
  const differing = Array.from({ length }, (_, index) => index).find((index) => told[index] !== shown[index])
  if (differing === undefined) return []
  const [wrong, right] = [told, shown].map((list) => list[differing] ?? 'nothing')
  return [`shows ${right}, but its structured data says ${wrong}`]
}

type Comparison = readonly [told: readonly Told[], shown: readonly Told[]]

/** A catalogue lists its products with their offers, or, if there are many, only with their addresses. */
function compareCatalogue(blocks: readonly unknown[], { cards, ...page }: BuiltPage): Comparison {
  const listed = blocks.flatMap((block) => readList(block, 'itemListElement'))
  const isBrief = listed.some((one) => read(one, 'item') === undefined)
  const address = readCanonical({ cards, ...page })
  return [
    listed.map((one) =>
      [read(one, 'position'), ...(isBrief ? [read(one, 'url')] : describeItem(read(one, 'item')))].join(
        ' | ',
      ),
    ),
    cards
      .slice(0, MOST_LISTED)
      .map((card, index) =>
        [index + 1, ...(isBrief ? [findAddress(card, address)] : describeCard(card, address))].join(' | '),
      ),
  ]
}

/**
 * A product's page has a breadcrumb trail, and data of the product if and only if it has a photo and a size with a
 * price.
 */
function compareProduct([trail, ...groups]: readonly unknown[], page: BuiltPage): Comparison {
  const photo = page.cards.flatMap((card) => findNamed(card, 'img'))[0]?.attribs['src']
  const sizes = listSizes(page)
  const isDescribed = photo !== undefined && photo !== NO_PHOTO && sizes.length > 0
  const heading = readPageText(findNamed(page.tree, 'h1')[0])
  const describe = (group: unknown): Told =>
    [
      readText(group, 'name'),
      read(group, 'url'),
      ...readList(group, 'hasVariant').map((variant) =>
        describeOffer(readText(variant, 'size'), read(variant, 'offers')),
      ),
    ].join(' | ')
  return [
    [readText(readList(trail, 'itemListElement').at(-1), 'item'), ...groups.map(describe)],
    [
      readCanonical(page) ?? '',
      ...(isDescribed ? [[heading, readCanonical(page), ...sizes].join(' | ')] : []),
    ],
  ]
}

function describeItem(item: unknown): readonly Told[] {
  const offers = readList(item, 'offers').map((offer) => describeOffer(readText(offer, 'name'), offer))
  return [readText(item, 'name'), readText(item, 'url'), ...offers]
}

function describeOffer(size: string, offer: unknown): Told {
  return describeSize(
    size,
    formatPrice(Number(read(offer, 'price'))),
    read(offer, 'availability') === IN_STOCK,
  )
}

function describeCard(card: Element, address: string | undefined): readonly Told[] {
  const price = readPageText(findAll(card, (element) => hasClass(element, 'price'))[0])
  const isSoldOut = findAll(card, (element) => hasClass(element, 'sold-out')).length > 0
  const decants = findNamed(card, 'div').map((line) =>
    describeSize(
      readPageText(findNamed(line, 'dt')[0]),
      readPageText(findNamed(line, 'dd')[0]).split(/\s*,\s/)[0] ?? '',
      'data-available' in line.attribs,
    ),
  )
  const offers = [describeSize('', price, !isSoldOut), ...decants].filter((offer) => offer.includes('RD$'))
  return [readPageText(findNamed(card, 'h2')[0]), findAddress(card, address) ?? '', ...offers]
}

function listSizes({ tree }: BuiltPage): readonly Told[] {
  return findAll(tree, (element) => hasClass(element, 'size'))
    .map((line) =>
      describeSize(
        // On the page, a decant is called `Decant 5 ml`; cards and structured data call it `5ML`.
        readPageText(findNamed(line, 'span')[0]).replace(/^Decant (\d+) ml$/, '$1ML'),
        readPageText(findAll(line, (element) => hasClass(element, 'price'))[0]),
        'data-available' in line.attribs,
      ),
    )
    .filter((size) => size.includes('RD$'))
}

/** `size` is empty for the offer that a card shows without a size. */
function describeSize(size: string, price: string, isAvailable: boolean): Told {
  return `${size} ${price} ${isAvailable ? 'available' : 'not available'}`.trim()
}

function findAddress(card: Element, base: string | undefined): string | undefined {
  const link = findNamed(card, 'a')[0]?.attribs['href'] ?? `#${card.attribs['id']}`
  return URL.parse(link, base)?.href
}

function read(value: unknown, name: string): unknown {
  return Object(value)[name]
}

function readText(value: unknown, name: string): string {
  return String(read(value, name) ?? '')
    .replace(/\s+/g, ' ')
    .trim()
}

function readList(value: unknown, name: string): readonly unknown[] {
  const list = read(value, name)
  return Array.isArray(list) ? list : []
}

/** Returns a text that is no data if the block is invalid JSON. */
function readBlock(block: Element): unknown {
  const text = block.children.map((child) => ('data' in child ? child.data : '')).join('')
  try {
    return JSON.parse(text)
  } catch {
    return 'invalid JSON'
  }
}
