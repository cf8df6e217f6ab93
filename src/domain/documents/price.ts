/** Amounts in Dominican pesos: what counts as one, and how it reads. */

export const MAX_PRICE = 999_999_999

const DECIMALS = 3

/** Shown where there is no price. Source: docs/design.md, Placeholders. */
export const NO_PRICE = '--'

export function isPrice(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MAX_PRICE
}

/** `1300` gives `RD$1,300`; the home page has a space: `RD$ 1,300`. `null` gives `--`. */
export function formatPrice(price: number | null, space: '' | ' ' = ''): string {
  return price === null ? NO_PRICE : `RD$${space}${formatAmount(price + 0)}`
}

/** Groups of three with a comma, at most three decimals: as `es-DO` has it, whatever data ICU comes with. */
function formatAmount(price: number): string {
  // The shortest digits that mean this number, as JavaScript prints it; what is as small as `1e-7` is nothing here.
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
