/** Amounts in Dominican pesos: what counts as one, and how it reads. */

export const MAX_PRICE = 999_999_999

/** Shown where there is no price. Source: specification, section 9. */
export const NO_PRICE = '--'

// A fixed locale, so that the machine's own never gets into a page.
const amounts = new Intl.NumberFormat('es-DO')

export function isPrice(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MAX_PRICE
}

/** `1300` gives `RD$1,300`; the home page has a space: `RD$ 1,300`. `null` gives `--`. */
export function formatPrice(price: number | null, space: '' | ' ' = ''): string {
  return price === null ? NO_PRICE : `RD$${space}${amounts.format(price + 0)}`
}
