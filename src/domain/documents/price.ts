/** Amounts in Dominican pesos: what counts as one, and how it reads. */

export const MAX_PRICE = 999_999_999

/** Shown where there is no price. Source: docs/design.md, Placeholders. */
export const NO_PRICE = '--'

// A fixed locale, so that the machine's own never gets into a page.
const amounts = new Intl.NumberFormat('es-DO')

// Products share their amounts, and to find one takes a tenth of the time that it takes to format it.
const formatted = new Map<number, string>()
const MOST_FORMATTED = 10_000

export function isPrice(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MAX_PRICE
}

/** `1300` gives `RD$1,300`; the home page has a space: `RD$ 1,300`. `null` gives `--`. */
export function formatPrice(price: number | null, space: '' | ' ' = ''): string {
  return price === null ? NO_PRICE : `RD$${space}${formatAmount(price + 0)}`
}

function formatAmount(price: number): string {
  const known = formatted.get(price)
  if (known !== undefined) return known
  if (formatted.size === MOST_FORMATTED) formatted.clear()
  const text = amounts.format(price)
  formatted.set(price, text)
  return text
}
