/** A seller's profile, and the name that pages show for the seller. */
import type { Complain } from './document.ts'
import { parseField, readField, TEXT } from './document.ts'
import { parseText } from './entities.ts'
import { parseWhatsApp } from './whatsapp.ts'

/**
 * Both names are clean text; empty when the document lacks them. `whatsapp` is the number for orders, digits with the
 * country code; `null` for none.
 */
export type Profile = {
  readonly fName: string
  readonly lName: string
  readonly whatsapp: string | null
}

type Names = Pick<Profile, 'fName' | 'lName'>

// Name of a seller whose profile is missing or has no name. Source: docs/specification.md, Placeholders.
const PLACEHOLDER = 'Jhon Doe'

export function parseProfile(data: unknown, complain: Complain): Profile {
  return {
    fName: parseName('fName', data, complain),
    lName: parseName('lName', data, complain),
    whatsapp: parseNumber(data, complain),
  }
}

/** Returns first and last name; only one of them if the other is empty; the placeholder if both are empty. */
export function formatSellerName(profile: Names | null): string {
  const names = profile === null ? [] : [profile.fName, profile.lName].filter((name) => name !== '')
  return names.length === 0 ? PLACEHOLDER : names.join(' ')
}

function parseName(key: keyof Names, data: unknown, complain: Complain): string {
  const raw = parseField(TEXT, readField(data, key), (reason) => complain(key, reason))
  return raw === null ? '' : parseText(raw)
}

function parseNumber(data: unknown, complain: Complain): string | null {
  const raw = readField(data, 'whatsapp')
  const isAbsent = raw === undefined || raw === null || (typeof raw === 'string' && raw.trim() === '')
  const number = isAbsent ? null : parseWhatsApp(raw)
  if (number === null && !isAbsent) complain('whatsapp', 'is not a telephone number of 8 to 15 digits')
  return number
}
