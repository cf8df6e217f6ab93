/** Turns errors of a change into its outcome. */
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

/** Trouble with the source stops all sellers; any other error stops only this seller. */
export function createReadOutcome(error: unknown): ChangeOutcome {
  if (!(error instanceof SourceTrouble)) return { kind: 'failed', reason: readMessage(error) }
  const { kind, message: reason, retryAfter } = error
  return { kind: 'trouble', reason, isPermanent: kind === 'denied' || kind === 'missing', retryAfter }
}
