/** Large sellers are in work one at a time: the largest that a Worker reads takes a third of its memory. */
import type { SellerData } from '../../domain/objects/object-data.ts'

export type TakeTurn = <Result>(data: SellerData | null, work: () => Promise<Result>) => Promise<Result>

/** Number of products. As many sellers of fewer as are in work at a time fit into the memory. */
const LARGE = 300

/** The turns of one invocation. `data` is the seller's, or what was known of her before. */
export function createTurns(): TakeTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (data, work) => {
    if (data === null || data.catalogue.products.length <= LARGE) return work()
    const turn = last.then(work)
    last = turn.catch(() => {})
    return turn
  }
}
