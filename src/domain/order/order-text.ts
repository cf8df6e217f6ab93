/**
 * The text of an order for WhatsApp: a greeting, one line per product and size with the address of the product, the
 * total, and questions to the seller. It has at most 1,500 characters, because a link to WhatsApp contains it. A longer
 * text is shortened: without addresses, then with shorter names, then with the last lines counted instead of listed.
 */
import { formatPrice } from '../documents/price.ts'
import type { VisitorOrder, OrderLine, OrderSize } from './order.ts'
import { sumPrices } from './order.ts'

/** In UTF-16 code units. */
export const MAX_ORDER_TEXT = 1_500

/**
 * The lowest length to which names are limited, in UTF-16 code units. With this limit, 40 lines with ordinary prices
 * fit.
 */
const SHORTEST_NAME = 10

/** The Spanish words of the text, which `messages.ts` provides. */
export interface OrderWords {
  readonly greeting: string
  /** `price` is the total of the line. */
  readonly formatLine: (line: WrittenLine) => string
  /** Formats the number of lines that are not listed. */
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

interface OrderContext {
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

/**
 * Returns a text with names shortened no more than necessary. If even the shortest names do not fit, it lists only the
 * first lines.
 */
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

/**
 * Returns `write(number)` for the largest number from `least` to `most` with which the text has at most
 * `MAX_ORDER_TEXT` characters; `null` if there is none. The text must not become shorter as the number grows.
 */
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
 * Isolates a right-to-left name. Otherwise, text that follows an Arabic or Hebrew name would be displayed before it.
 * Source: https://www.unicode.org/reports/tr9/
 */
function isolate(name: string): string {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name
}

/**
 * Shortens a name without cutting a visible character in two. In browsers without `Intl.Segmenter`, a character of
 * several code points may be cut.
 */
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

/** An unpaired surrogate, for which `encodeURIComponent` would throw. */
const HALF = /\p{Cs}/gu

/**
 * Returns the address that opens WhatsApp with the text. `number` has digits only. Source:
 * https://faq.whatsapp.com/5913398998672934
 */
export function formatWhatsAppAddress(number: string, text: string): string {
  return `https://wa.me/${number}?text=${encodeURIComponent(text.replace(HALF, '\uFFFD'))}`
}
