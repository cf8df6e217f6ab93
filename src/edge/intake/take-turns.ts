/** Large sellers are processed one at a time: the largest takes a third of a Worker's memory. */
import type { SellerData } from '../../domain/objects/object-data.ts'

export type TakeTurn = <Result>(data: SellerData | null, work: () => Promise<Result>) => Promise<Result>

/** Sellers with more products than this take turns. The memory suffices for all others at the same time. */
const LARGE = 300

/** Creates the `TakeTurn` of one Worker invocation. Its `data` is the seller's present or previous data. */
export function createTurns(): TakeTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (data, work) => {
    if (data === null || data.catalogue.products.length <= LARGE) return work()
    const turn = last.then(work)
    last = turn.catch(() => {})
    return turn
  }
}
