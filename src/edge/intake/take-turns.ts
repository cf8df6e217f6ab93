/** Processes large sellers one at a time, because the largest takes a third of a Worker's memory. */
import type { SellerData } from '../../domain/objects/object-data.ts'

export type TakeTurn = <Result>(data: SellerData | null, work: () => Promise<Result>) => Promise<Result>

/**
 * Sellers with more products than this take turns. The others that are processed at the same time fit into memory
 * together.
 */
const LARGE = 300

/**
 * Creates the `TakeTurn` that the sellers of one batch share. `data` is the seller's current or previous data, whose
 * number of products decides whether `work` waits for its turn. With `null`, `work` starts at once.
 */
export function createTurns(): TakeTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (data, work) => {
    if (data === null || data.catalogue.products.length <= LARGE) return work()
    const turn = last.then(work)
    last = turn.catch(() => {})
    return turn
  }
}
