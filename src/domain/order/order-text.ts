/**
 * The text of an order for WhatsApp: a line for each size, the total, the address of each product, and what a buyer
 * asks. WhatsApp's links carry it in an address, so it has at most 1,500 characters: first the addresses are left out,
 * then names are shortened, then the last lines are counted instead of listed.
 */
import { formatPrice } from '../documents/price.ts'
import type { VisitorOrder, OrderLine, OrderSize } from './order.ts'
import { sumPrices } from './order.ts'

/** In UTF-16 code units. */
export const MAX_ORDER_TEXT = 1_500

/** Lets 40 lines fit. */
const SHORTEST_NAME = 10

/** The sentences of the text. */
export interface OrderWords {
  readonly greeting: string
  /** `price` is the total of the line. */
  readonly formatLine: (line: WrittenLine) => string
  /** Says how many lines are not listed. */
  readonly formatRest: (lines: number) => string
  readonly formatTotal: (total: string) => string
  readonly closing: string
}

export interface WrittenLine {
  readonly count: number
  readonly name: string
  readonly size: OrderSize
  readonly price: string
}

export interface OrderContext {
  readonly words: OrderWords
  /** The public address of a product. */
  readonly formatAddress: (product: string) => string
}

export function formatOrderText(order: VisitorOrder, { words, formatAddress }: OrderContext): string {
  const total = words.formatTotal(formatPrice(sumPrices(order)))
  const write = (lines: readonly string[]): string =>
    [words.greeting, '', ...lines, '', total, '', words.closing].join('\n')
  const withAddresses = write(
    order.map((line) => `${formatLine(line, words)}\n${formatAddress(line.product)}`),
  )
  if (withAddresses.length <= MAX_ORDER_TEXT) return withAddresses
  const whole = write(order.map((line) => formatLine(line, words)))
  if (whole.length <= MAX_ORDER_TEXT) return whole
  return fitLines(order, words, write)
}

/** Lists the lines that fit, with names as long as possible. */
function fitLines(
  order: VisitorOrder,
  words: OrderWords,
  write: (lines: readonly string[]) => string,
): string {
  const longest = Math.max(...order.map(({ name }) => name.length))
  const shortened = findLast(SHORTEST_NAME, longest, (length) =>
    write(order.map((line) => formatLine(line, words, length))),
  )
  if (shortened !== null) return shortened
  const lines = order.map((line) => formatLine(line, words, SHORTEST_NAME))
  const listed = findLast(0, order.length - 1, (count) =>
    write([...lines.slice(0, count), words.formatRest(order.length - count)]),
  )
  return listed ?? ''
}

/** Returns the text of the largest number that fits; `null` for none. Texts of larger numbers are not shorter. */
function findLast(least: number, most: number, write: (number: number) => string): string | null {
  let [low, high] = [least, most]
  let fitting: string | null = null
  while (low <= high) {
    const middle = Math.floor((low + high) / 2)
    const text = write(middle)
    if (text.length <= MAX_ORDER_TEXT) {
      fitting = text
      low = middle + 1
    } else high = middle - 1
  }
  return fitting
}

function formatLine({ count, name, size, price }: OrderLine, words: OrderWords, length = Infinity): string {
  return words.formatLine({
    count,
    name: isolate(shorten(name, length)),
    size,
    price: formatPrice(sumPrices([{ count, price }])),
  })
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/**
 * Text that follows an Arabic or Hebrew name would otherwise be displayed before it. Source:
 * https://www.unicode.org/reports/tr9/
 */
function isolate(name: string): string {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name
}

/** Never cuts a character in two; in browsers without a segmenter, one of several code points may be cut. */
function shorten(name: string, length: number): string {
  if (name.length <= length) return name
  let short = ''
  for (const segment of splitText(name)) {
    if (short.length + segment.length > length - 1) break
    short += segment
  }
  return `${short.trimEnd()}…`
}

function splitText(text: string): Iterable<string> {
  if (typeof Intl.Segmenter !== 'function') return text
  return Array.from(new Intl.Segmenter('es').segment(text), ({ segment }) => segment)
}

/** Half of a surrogate pair, which has no encoding. */
const HALF = /\p{Cs}/gu

/**
 * The address that opens WhatsApp with the text. `number` has digits only. Source:
 * https://faq.whatsapp.com/5913398998672934
 */
export function formatWhatsAppAddress(number: string, text: string): string {
  return `https://wa.me/${number}?text=${encodeURIComponent(text.replace(HALF, '\uFFFD'))}`
}
