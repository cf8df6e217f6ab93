/** Normalizes text of documents, for display on one line and for searching. Does not escape HTML; the renderer does. */

/** Max length of a cleaned text, in code points. */
export const MAX_TEXT = 500

// C0 and C1 controls, bidirectional marks, the byte order mark, and letters and symbols that look like a blank.
const BLANK = /[\p{Cc}\u061C\u115F\u1160\u200E\u200F\u202A-\u202E\u2066-\u2069\u2800\u3164\uFEFF\uFFA0]+/gu

// Invisible format characters, except for joiners between emoji.
const UNSEEN = /(?=\p{DI})(?!\u200D)\p{Cf}|(?<![\p{ExtPict}\p{EMod}\uFE0F])\u200D|\u200D(?!\p{ExtPict})/gu

const SEEN = /[\p{L}\p{N}\p{P}\p{S}]/u

// Fast path for most names: one line of printable ASCII and Latin-1 characters, which are in NFC.
const CLEAN = /^[!-~À-ÿ]+(?: [!-~À-ÿ]+)*$/

const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z\d]{2,8}));/gi

// HTML's names of the characters from U+00A0 to U+00FF, in order. A package with all names takes 10 ms to load.
const LATIN =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute ' +
  'micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig ' +
  'Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash ' +
  'Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ' +
  'ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc ' +
  'uuml yacute thorn yuml'
const NAMED = new Map([
  ...LATIN.split(' ').map((name, index) => [name, String.fromCharCode(160 + index)] as const),
  ...Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    ndash: '–',
    mdash: '—',
    hellip: '…',
  }),
  ...Object.entries({ lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', bull: '•', trade: '™', euro: '€' }),
])

/** Returns the clean text of a field. Exports of shops write entities of HTML, which are decoded once. */
export function parseText(raw: string): string {
  return cleanText(raw.includes('&') ? raw.replace(ENTITY, decodeEntity) : raw)
}

function decodeEntity(entity: string, decimal?: string, hexadecimal?: string, name?: string): string {
  if (name !== undefined) return NAMED.get(name) ?? entity
  const point = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal)
  return point <= 0x10ffff ? String.fromCodePoint(point) : entity
}

/**
 * Returns one line of well-formed NFC text of at most 500 code points, without control characters, bidirectional marks
 * and invisible format characters, except for joiners between emoji. Returns empty text if nothing visible remains.
 */
export function cleanText(raw: string): string {
  if (raw.length <= MAX_TEXT && CLEAN.test(raw)) return raw
  const line = raw
    .trimStart()
    .slice(0, MAX_TEXT * 4)
    .toWellFormed()
    .replace(BLANK, ' ')
    .replace(UNSEEN, '')
    .replace(/\s+/gu, ' ')
    .trim()
    .normalize('NFC')
  if (!SEEN.test(line)) return ''
  const points = [...line]
  return points.length <= MAX_TEXT ? line : `${points.slice(0, MAX_TEXT - 1).join('')}…`
}

/**
 * Returns lower case without accents and invisible characters, for searching: `Ámbar Ñ` gives `ambar n`. Replaces the
 * apostrophes of iPhones (`’`) and of Spanish keyboards (`´`) with `'`.
 */
export function foldText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\p{Mn}\p{DI}]+/gu, '')
    .replace(/[´’]/g, "'")
    .toLowerCase()
}
