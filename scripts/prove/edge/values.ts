/** Compares the data of objects. */
import { createHash } from 'node:crypto'
import { formatObjectData } from '../../../src/domain/objects/object-data.ts'
import type { StoryValue } from './stories/source.ts'

/** Returns the ids of the products that are in `before` only. */
export function listGone(before: StoryValue, after: StoryValue): readonly string[] {
  const left = new Set(listProducts(after))
  return listProducts(before).filter((id) => !left.has(id))
}

function listProducts(value: StoryValue): readonly string[] {
  return value?.catalogue.products.map(({ id }) => id) ?? []
}

/** Returns the digest that the object's metadata should have; `null` if the seller does not exist. */
export function digestValue(value: StoryValue): string | null {
  return value === null ? null : createHash('sha256').update(formatObjectData(value)).digest('hex')
}
