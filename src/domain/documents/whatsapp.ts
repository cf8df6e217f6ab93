/** A seller's WhatsApp number for orders, an optional field that is meant for publication. */

/**
 * A number of the Dominican Republic without the country code, with one of the three area codes. Source:
 * https://www.itu.int/oth/T020200003A/en
 */
const LOCAL = /^8[024]9\d{7}$/
const COUNTRY_CODE = '1'

/** `characters` includes separators. `digits` are those of an international number. Source: ITU-T E.164 */
export const MAX_WHATSAPP = { characters: 60, digits: 15 } as const

const INTERNATIONAL = new RegExp(`^[1-9]\\d{7,${MAX_WHATSAPP.digits - 1}}$`)

/**
 * White space and punctuation of telephone numbers, and the invisible marks around a number copied from a phone's
 * contacts.
 */
const SEPARATORS = /[\s().+\p{Pd}\p{Cf}]/gu

/** Returns digits with the country code, as `wa.me` requires; `null` for a value that is not a phone number. */
export function parseWhatsApp(raw: unknown): string | null {
  const text = typeof raw === 'number' && raw > 0 && Number.isSafeInteger(raw) ? String(raw) : raw
  if (typeof text !== 'string' || text.length > MAX_WHATSAPP.characters) return null
  const digits = text.replace(SEPARATORS, '')
  if (LOCAL.test(digits)) return COUNTRY_CODE + digits
  return INTERNATIONAL.test(digits) ? digits : null
}
