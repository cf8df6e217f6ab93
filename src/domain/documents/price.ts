/** Validates and formats amounts in Dominican pesos. */

export const MAX_PRICE = 999_999_999

const DECIMALS = 3

/** Less rounds to 0. */
const LEAST_SHOWN = 0.0005

/** Shown where there is no price. Source: docs/design.md, Placeholders. */
export const NO_PRICE = '--'

export function isPrice(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MAX_PRICE
}

/** Whether something can be sold at this price. What rounds to `RD$0` is shown, but counts as no price. */
export function isPayable(price: number | null): price is number {
  return (price ?? 0) >= LEAST_SHOWN
}

/** `1300` gives `RD$1,300`; the home page has a space: `RD$ 1,300`. `null` gives `--`. */
export function formatPrice(price: number | null, space: '' | ' ' = ''): string {
  return price === null ? NO_PRICE : `RD$${space}${formatAmount(price + 0)}`
}

/** Parses what `formatPrice` gives; `null` for anything else. */
export function parseFormattedPrice(text: string): number | null {
  const amount = /^RD\$ ?([\d,]+(?:\.\d+)?)$/.exec(text)?.[1]
  return amount === undefined ? null : Number(amount.replaceAll(',', ''))
}

/** Formats like `es-DO` with at most three decimals, independent of the ICU data of the runtime. */
function formatAmount(price: number): string {
  // `String` gives the shortest digits; numbers below 1e-6 would print with an exponent and round to zero anyway.
  const [whole = '0', decimals = ''] = price < 1e-6 ? [] : String(price).split('.')
  if (decimals.length <= DECIMALS) return joinParts(whole, decimals)
  const digits = `${whole}${decimals.slice(0, DECIMALS)}`
  const rounded = String(Number(digits) + (Number(decimals[DECIMALS]) >= 5 ? 1 : 0)).padStart(
    DECIMALS + 1,
    '0',
  )
  return joinParts(rounded.slice(0, -DECIMALS), rounded.slice(-DECIMALS).replace(/0+$/, ''))
}

function joinParts(whole: string, decimals: string): string {
  let grouped = whole.slice(-3)
  for (let end = whole.length - 3; end > 0; end -= 3)
    grouped = `${whole.slice(Math.max(0, end - 3), end)},${grouped}`
  return decimals === '' ? grouped : `${grouped}.${decimals}`
}
