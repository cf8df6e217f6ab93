/** Finds the sellers whose pages a written document affects. Compares only the fields that pages show. */

/** Fields of a document; `undefined` when the document does not exist. */
export type WrittenFields = Readonly<Record<string, unknown>> | undefined

export interface WrittenDocument {
  readonly before: WrittenFields
  readonly after: WrittenFields
}

const PRODUCT_FIELDS = ['name', 'photo', 'price', 'available'] as const
const DECANTS = ['_5ml', '_10ml'] as const
const DECANT_FIELDS = ['price', 'available'] as const
const PROFILE_FIELDS = ['fName', 'lName', 'whatsapp'] as const

/**
 * Returns the owners of a `cataloge` document before and after the write. Returns an empty list if neither the owner
 * nor a shown field changed.
 */
export function findProductSellers({ before, after }: WrittenDocument): readonly string[] {
  const owners = [findOwner(before), findOwner(after)]
  const isSame = before !== undefined && after !== undefined && describe(before) === describe(after)
  if (isSame && owners[0] === owners[1]) return []
  return [...new Set(owners.filter((owner) => owner !== null))]
}

/**
 * Returns the seller of a `users` document if the document was created or deleted, or if a shown field changed.
 * Otherwise returns an empty list.
 */
export function findProfileSellers(seller: string, { before, after }: WrittenDocument): readonly string[] {
  if (before === undefined || after === undefined) return before === after ? [] : [seller]
  return PROFILE_FIELDS.some((name) => read(before, name) !== read(after, name)) ? [seller] : []
}

/** Max size of a Firestore document id, in bytes. A seller with a longer id has no profile and no page. */
const LONGEST_ID = 1_500

/** Separates ids that a notice may name from ids that are too long for a Firestore document. */
export function splitSellers(sellers: readonly string[]): {
  readonly possible: readonly string[]
  readonly impossible: readonly string[]
} {
  const isPossible = (seller: string): boolean => new TextEncoder().encode(seller).length <= LONGEST_ID
  return {
    possible: sellers.filter(isPossible),
    impossible: sellers.filter((seller) => !isPossible(seller)),
  }
}

function findOwner(fields: WrittenFields): string | null {
  const id = readGroup(fields, 'owner')['id']
  return typeof id === 'string' && id !== '' ? id : null
}

/** Serializes the shown fields, so that two versions of a product can be compared. */
function describe(fields: WrittenFields): string {
  const product = PRODUCT_FIELDS.map((name) => read(fields, name))
  const decants = DECANTS.map((group) => DECANT_FIELDS.map((name) => read(readGroup(fields, group), name)))
  return JSON.stringify([product, decants])
}

/**
 * Returns a field's value if it is a string, a boolean or a finite number, else `null`, because pages show no other
 * values.
 */
function read(fields: WrittenFields, name: string): string | number | boolean | null {
  const value = fields?.[name]
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
    ? (value as string | number | boolean)
    : null
}

function readGroup(fields: WrittenFields, name: string): Readonly<Record<string, unknown>> {
  const value = fields?.[name]
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}
