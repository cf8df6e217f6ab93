/** Which file of the sitemap lists a seller: the same whatever other sellers there are. */
import { createHash } from 'node:crypto'

/** From 0 to 255. */
export function findBucket(seller: string): number {
  return createHash('sha256').update(seller).digest()[0] ?? 0
}
