/** A seller's WhatsApp number for orders, an optional field that is meant for publication. */

/** Area codes of the Dominican Republic. Source: https://www.itu.int/oth/T020200003A/en */
const LOCAL = /^8[024]9\d{7}$/
const COUNTRY_CODE = '1'

/** The longest international number has 15 digits. Source: ITU-T E.164 */
const INTERNATIONAL = /^[1-9]\d{7,14}$/

/** What people write between the digits, and the unseen marks around a number copied from a phone's contacts. */
const SEPARATORS = /[\s().+\p{Pd}\p{Cf}]/gu

/** Returns digits with the country code, as `wa.me` wants them; `null` for what is no such number. */
export function parseWhatsApp(raw: unknown): string | null {
  const text = typeof raw === 'number' && raw > 0 && Number.isSafeInteger(raw) ? String(raw) : raw
  if (typeof text !== 'string') return null
  const digits = text.replace(SEPARATORS, '')
  if (LOCAL.test(digits)) return COUNTRY_CODE + digits
  return INTERNATIONAL.test(digits) ? digits : null
}
