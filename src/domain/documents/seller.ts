/** A seller's profile, and the name a page shows for it. */
import { string } from 'valibot'
import type { Complain } from './document.ts'
import { parseField, readField } from './document.ts'
import { cleanText } from './text.ts'

/** Both names are clean text; empty when the document lacks them. */
export type Profile = {
  readonly fName: string
  readonly lName: string
}

// Shown when the profile is missing. Source: docs/design.md, Placeholders.
const PLACEHOLDER = 'Jhon Doe'

export function parseProfile(data: unknown, complain: Complain): Profile {
  return { fName: parseName('fName', data, complain), lName: parseName('lName', data, complain) }
}

/** Returns first and last name, one of them if the other is empty, the placeholder if both are. */
export function formatSellerName(profile: Profile | null): string {
  const names = profile === null ? [] : [profile.fName, profile.lName].filter((name) => name !== '')
  return names.length === 0 ? PLACEHOLDER : names.join(' ')
}

function parseName(key: keyof Profile, data: unknown, complain: Complain): string {
  const raw = parseField(string('is not a string'), readField(data, key), (reason) => complain(key, reason))
  return raw === null ? '' : cleanText(raw)
}
