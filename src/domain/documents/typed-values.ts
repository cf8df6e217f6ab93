/**
 * Reads amounts and flags as people type them into cells and forms. A value that could mean two things is reported,
 * never guessed. The tables are in docs/data.md.
 */
import { isPrice } from './price.ts'
import { foldText } from './text.ts'

/** Receives the fault of a value, printed after the field's name: a constant that contains no text of the document. */
type Report = (fault: string) => void

/** Max characters of an amount or a flag. Longer text is reported without being searched. */
const MOST = 100

const BLANKS = /[\s\p{Cf}]+/gu

// The marks of the peso, before and after an amount. `/=` and `.-` end amounts in handwriting.
const BEFORE = /^(?:rd\$?|dop\$?|\$)/
const AFTER = /(?:rd\$|\$|dop|pesos?)?(?:\/[=-]|\.-?)?$/

// Thousands are grouped by commas or points. Two digits after the last mark count as cents. A single digit does so
// after a group, and in a number of three digits or more with a point, as spreadsheets write `350.5`.
const DECIMAL_POINT = /^(?:0|[1-9]\d*)(?:\.\d\d)?$|^[1-9]\d{2,}\.\d$|^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d\d?)?$/
const DECIMAL_COMMA = /^(?:0|[1-9]\d*),\d\d$|^[1-9]\d{0,2}(?:(?:\.\d{3})+,\d\d?|(?:\.\d{3}){2,})$/

const DOUBTFUL = /^\d+(?:[.,]\d+)+$/
const NUMBER = /\d+(?:[.,]\d+)*/g
const OTHER_CURRENCY = /u\$s?|us\$|usd|d[oó]lar|dollar|eur|mxn|cop|[€£¥₡]/

const AMOUNT_FAULTS = {
  range: 'is not an amount between 0 and 999,999,999',
  currency: 'is in another currency than RD$',
  doubt: 'could be two amounts, as 3.550 could be 3.55 or 3,550',
  two: 'has two prices in one field',
  words: 'is not an amount, such as 3500 or RD$3,500.50',
} as const

const YES = new Set('true,verdadero,yes,y,si,s,disponible,available,in stock,en stock'.split(','))
const NO = new Set(
  'false,falso,no,n,agotado,no disponible,sold out,not available,unavailable,out of stock,sin stock'.split(
    ',',
  ),
)

/** Returns pesos; `null` for an absent or empty value, and for one that cannot be read, which is reported. */
export function parseAmount(value: unknown, report: Report): number | null {
  if (value === undefined || value === null || isPrice(value)) return value ?? null
  const amount = typeof value === 'string' ? readAmount(value) : 'range'
  if (typeof amount !== 'string') return amount
  report(AMOUNT_FAULTS[amount])
  return null
}

/**
 * Returns whether a product is offered: true and false in Spanish and English, or a number of pieces in stock. Returns
 * false for an absent or empty value, and for one that cannot be read, which is reported.
 */
export function parseFlag(value: unknown, report: Report): boolean {
  if (value === undefined || value === null) return false
  const flag = typeof value === 'string' ? readFlag(value) : value
  if (typeof flag === 'boolean') return flag
  if (typeof flag === 'number' && flag >= 0 && Number.isFinite(flag)) return flag > 0
  report('is neither yes nor no, and no number of pieces in stock')
  return false
}

function readAmount(text: string): number | keyof typeof AMOUNT_FAULTS | null {
  const typed = tidy(text)?.toLowerCase()
  if (typed === undefined) return 'words'
  if (typed === '') return null
  const unsigned = typed.replace(/^[-−–]/, '').trim()
  const bare = unsigned.replace(BEFORE, '').trim().replace(AFTER, '').trim()
  const amount = readDigits(bare)
  if (amount !== null) return unsigned === typed && isPrice(amount) ? amount : 'range'
  if (OTHER_CURRENCY.test(typed)) return 'currency'
  if (DOUBTFUL.test(bare)) return 'doubt'
  return (typed.match(NUMBER)?.length ?? 0) > 1 ? 'two' : 'words'
}

function readDigits(text: string): number | null {
  if (DECIMAL_POINT.test(text)) return Number(text.replaceAll(',', ''))
  return DECIMAL_COMMA.test(text) ? Number(text.replaceAll('.', '').replace(',', '.')) : null
}

function readFlag(text: string): boolean | number | null {
  const tidied = tidy(text)
  if (tidied === undefined) return null
  const typed = foldText(tidied)
  if (/^\d+$/.test(typed)) return Number(typed)
  return typed === '' || NO.has(typed) ? false : YES.has(typed) ? true : null
}

/** Returns the text on one line without invisible characters; `undefined` for long text. */
function tidy(text: string): string | undefined {
  const trimmed = text.trim()
  return trimmed.length > MOST ? undefined : trimmed.replace(BLANKS, ' ').trim()
}
