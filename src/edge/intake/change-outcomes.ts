/** Turns errors into outcomes of a change. */
import type { ChangeOutcome } from '../coordinator/change-ledger.ts'
import { SourceTrouble } from './seller-source.ts'
import { readMessage } from '../../domain/documents/errors.ts'

/** Creates the outcome for temporary trouble that is not caused by the seller. */
export function createTrouble(reason: string): ChangeOutcome {
  return { kind: 'trouble', reason, isPermanent: false, retryAfter: 0 }
}

export function createStoreTrouble(error: unknown): ChangeOutcome {
  return createTrouble(`the store of pages failed: ${readMessage(error)}`)
}

/**
 * If the source failed, the outcome is `trouble`, which concerns all changes. Any other error concerns only this
 * seller, so the outcome is `failed`.
 */
export function createReadOutcome(error: unknown): ChangeOutcome {
  if (!(error instanceof SourceTrouble)) return { kind: 'failed', reason: readMessage(error) }
  const { kind, message: reason, retryAfter } = error
  return { kind: 'trouble', reason, isPermanent: kind === 'denied' || kind === 'missing', retryAfter }
}
