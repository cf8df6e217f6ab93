/**
 * Sends items in calls. If a call fails, each half of its items is sent separately, so that one bad item does not block
 * the others.
 */
import { CallError } from './coordinator-client.ts'

interface DividedCalls<Item, Result> {
  readonly send: (items: readonly Item[]) => Promise<readonly Result[]>
  /**
   * Makes a call that changes nothing. Used after a failed call, to find out whether the site answers at all. Rejects
   * if it does not.
   */
  readonly probe: () => Promise<unknown>
  /** Returns the result of an item whose call fails with `error` although the site answers other calls. */
  readonly createFailure: (item: Item, error: CallError) => Result
  /** Must be the same for all calls of one feed or comparison. */
  readonly budget: FailureBudget
}

/**
 * `left`: number of items that may still fail. If more fail, the error is thrown, because the site itself is probably
 * failing.
 */
export interface FailureBudget {
  left: number
}

const MOST_FAILED = 10

export function createFailureBudget(): FailureBudget {
  return { left: MOST_FAILED }
}

/** Yields the results of each call. Rejects if the site does not answer, or if too many items fail. */
export async function* sendDivided<Item, Result>(
  items: readonly Item[],
  { send, probe, createFailure, budget }: DividedCalls<Item, Result>,
): AsyncGenerator<readonly Result[]> {
  const waiting = [items]
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    try {
      yield await send(part)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      const isAnswering = await probe().then(
        () => true,
        () => false,
      )
      if (!isAnswering) throw error
      const [item, ...others] = part
      if (item === undefined || budget.left === 0) throw error
      if (others.length === 0) {
        budget.left -= 1
        yield [createFailure(item, error)]
      } else waiting.push(part.slice(part.length >> 1), part.slice(0, part.length >> 1))
    }
  }
}
