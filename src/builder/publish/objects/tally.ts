/** Gathers the results of a delivery. */
import type { PushResult } from '../../../domain/wire/object-calls.ts'
import type { Failure } from '../../state/snapshot/waits.ts'
import type { FailureBudget } from '../coordinator/send-divided.ts'
import { createFailureBudget } from '../coordinator/send-divided.ts'
import type { Delivery, DeliveryOutcome } from './delivery.ts'

export interface Tally {
  readonly budget: FailureBudget
  /** Removes stored objects from the outbox, and keeps the others in it. */
  settle(results: readonly PushResult[]): void
  /** Returns whether the object was refused or failed, so that this delivery does not push it again. */
  isGivenUp(name: string): boolean
  end(): DeliveryOutcome
}

const BEATEN =
  'another builder or the Worker wrote this object first at each try; the next delivery tries again'

export function createTally({ outbox, countBytes }: Pick<Delivery, 'outbox' | 'countBytes'>): Tally {
  const stored = new Set<string>()
  const refused = new Map<string, Failure>()
  const failed = new Map<string, Failure>()
  const before = countBytes()
  const isGivenUp = (name: string): boolean => refused.has(name) || failed.has(name)
  return {
    budget: createFailureBudget(),
    settle: (results) => {
      const beaten: string[] = []
      const done: string[] = []
      for (const result of results) {
        const { name: seller, outcome } = result
        if (outcome === 'stored') done.push(seller)
        else if (outcome === 'beaten') beaten.push(seller)
        else (outcome === 'refused' ? refused : failed).set(seller, { seller, reason: result.reason })
      }
      for (const name of done) stored.add(name)
      outbox.add(beaten)
      outbox.postpone(results.flatMap(({ name }) => refused.get(name) ?? failed.get(name) ?? []))
      outbox.settle(done)
    },
    isGivenUp,
    end: () => {
      const beaten = outbox.read().filter((name) => !isGivenUp(name))
      outbox.postpone(beaten.map((seller) => ({ seller, reason: BEATEN })))
      return {
        stored: [...stored],
        refused: [...refused.values()],
        failed: [...failed.values()],
        beaten,
        bytes: countBytes() - before,
      }
    },
  }
}
