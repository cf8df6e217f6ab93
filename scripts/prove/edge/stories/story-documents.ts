/** The documents of a story, as Firestore gives them. */
import type { SourceDocument } from '../../../../src/domain/documents/document.ts'

export interface OwnProduct {
  readonly id: string
  readonly owner: string
  /** From 1 to 9. */
  readonly price: number
}

interface Owned {
  readonly seller: string
  /** Her name; `null` without a profile. */
  readonly profile: string | null
  readonly products: readonly OwnProduct[]
}

export function createStoryDocuments({ seller, profile, products }: Owned): readonly SourceDocument[] {
  const own: readonly SourceDocument[] =
    profile === null
      ? []
      : [{ collection: 'users', id: seller, updateTime: null, data: { fName: profile, lName: '' } }]
  return [...own, ...products.map(createProductDocument)]
}

/** Returns the newest time of these documents; empty for none. */
export function findUpdated(products: readonly OwnProduct[]): string {
  return products.map(formatTime).toSorted().at(-1) ?? ''
}

function createProductDocument(product: OwnProduct): SourceDocument {
  const { id, owner, price } = product
  const decant = { price: null, available: false }
  return {
    collection: 'cataloge',
    id,
    updateTime: formatTime(product),
    data: {
      id,
      name: `perfume ${id}`,
      photo: '',
      price,
      available: true,
      owner: { id: owner },
      _5ml: decant,
      _10ml: decant,
    },
  }
}

/** An edit that goes back to an older value goes back to its time, too: the data are equal then. */
function formatTime({ price }: OwnProduct): string {
  return `2026-01-0${price}T00:00:00.000Z`
}
