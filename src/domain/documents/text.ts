/** Text from documents made safe to show on one line: it knows nothing of HTML, which escapes for itself. */

const MAX_LENGTH = 500

// C0 and C1 controls, and the marks that reorder or isolate the text around them.
const UNSEEN = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]+/gu

const SEEN = /[\p{L}\p{N}\p{P}\p{S}]/u

// Most names: already one line of letters and signs that have one form only.
const CLEAN = /^[!-~À-ÿ]+(?: [!-~À-ÿ]+)*$/

/** One line, NFC, well-formed, without control or direction marks, at most 500 code points; blank when nothing is seen. */
export function cleanText(raw: string): string {
  if (raw.length <= MAX_LENGTH && CLEAN.test(raw)) return raw
  const line = raw
    .trimStart()
    .slice(0, MAX_LENGTH * 4)
    .toWellFormed()
    .replace(UNSEEN, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
    .normalize('NFC')
  if (!SEEN.test(line)) return ''
  const points = [...line]
  return points.length <= MAX_LENGTH ? line : `${points.slice(0, MAX_LENGTH - 1).join('')}…`
}

/** Lower case without accents, for comparing what is typed with what is shown: `Ámbar Ñ` gives `ambar n`. */
export function foldText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Mn}+/gu, '')
    .toLowerCase()
}
