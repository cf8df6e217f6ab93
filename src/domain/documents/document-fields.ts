/**
 * The fields of documents that the site reads, and their permitted values. The site ignores all other fields.
 * Firestore's rules permit sellers to write these fields only: a test compares this table with
 * `functions/firestore-trigger/firestore.rules`.
 */
import type { Collection } from './document.ts'
import { MAX_PRICE } from './price.ts'
import { MAX_ADDRESS } from './product.ts'
import { MAX_TEXT } from './text.ts'
import { MAX_WHATSAPP } from './whatsapp.ts'

/** A field may be absent or `null`, unless its type is `name` or `owner`. */
export type DocumentField =
  /** Text of at most `most` characters. */
  | { readonly type: 'text'; readonly most: number }
  /** Text of 1 to `most` characters. */
  | { readonly type: 'name'; readonly most: number }
  /** Text of at most `most` characters, or a whole number above 0 with at most `mostDigits` digits. */
  | { readonly type: 'phone'; readonly most: number; readonly mostDigits: number }
  /** A number from 0 to `most`, in RD$. */
  | { readonly type: 'amount'; readonly most: number }
  | { readonly type: 'flag' }
  | { readonly type: 'map'; readonly fields: DocumentFields }
  /** The id of the document itself. */
  | { readonly type: 'id' }
  /** A map with the id of the seller. */
  | { readonly type: 'owner' }

export type DocumentFields = Readonly<Record<string, DocumentField>>

const NAME_PART: DocumentField = { type: 'text', most: MAX_TEXT }
const OFFER = { price: { type: 'amount', most: MAX_PRICE }, available: { type: 'flag' } } as const
const DECANT: DocumentField = { type: 'map', fields: OFFER }

export const DOCUMENT_FIELDS: Readonly<Record<Collection, DocumentFields>> = {
  users: {
    fName: NAME_PART,
    lName: NAME_PART,
    whatsapp: { type: 'phone', most: MAX_WHATSAPP.characters, mostDigits: MAX_WHATSAPP.digits },
  },
  cataloge: {
    id: { type: 'id' },
    name: { type: 'name', most: MAX_TEXT },
    photo: { type: 'text', most: MAX_ADDRESS },
    ...OFFER,
    owner: { type: 'owner' },
    _5ml: DECANT,
    _10ml: DECANT,
  },
}
