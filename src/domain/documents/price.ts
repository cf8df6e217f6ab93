/** Validates and formats amounts in Dominican pesos. */

export const MAX_PRICE = 999_999_999

/** In pesos. A lower price is shown as 0. */
const LEAST_SHOWN = 0.005

/** Shown where there is no price. Source: docs/specification.md, Placeholders. */
export const NO_PRICE = '--'

export function isPrice(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MAX_PRICE
}

/**
 * Returns whether a product can be sold at this price. A price that rounds to `RD$0` is shown, but counts as no price.
 */
export function isPayable(price: number | null): price is number {
  return (price ?? 0) >= LEAST_SHOWN
}

/** `1300` gives `RD$1,300`, `7200.5` gives `RD$7,200.50`; the home page has a space: `RD$ 1,300`. `null` gives `--`. */
export function formatPrice(price: number | null, space: '' | ' ' = ''): string {
  return price === null ? NO_PRICE : `RD$${space}${formatAmount(countCents(price))}`
}

/**
 * Parses the text of `formatPrice` to a number. Returns `null` for `--`, and for text that is not `RD$` with an amount.
 */
export function parseFormattedPrice(text: string): number | null {
  const amount = /^RD\$ ?([\d,]+(?:\.\d+)?)$/.exec(text)?.[1]
  return amount === undefined ? null : Number(amount.replaceAll(',', ''))
}

/** Returns a price in cents, rounded as pages show it. Sums of whole cents are exact. */
export function countCents(price: number): number {
  return Math.round(price * 100)
}

/** Returns a price rounded to whole cents, as pages show it. */
export function roundPrice(price: number): number {
  return countCents(price) / 100
}

/** Formats like `es-DO`, with two decimals or none, independent of the ICU data of the runtime. */
function formatAmount(cents: number): string {
  const [whole, rest] = [String(Math.floor(cents / 100)), cents % 100]
  let grouped = whole.slice(-3)
  for (let end = whole.length - 3; end > 0; end -= 3)
    grouped = `${whole.slice(Math.max(0, end - 3), end)},${grouped}`
  return rest === 0 ? grouped : `${grouped}.${String(rest).padStart(2, '0')}`
}
