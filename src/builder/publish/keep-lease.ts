/** Keeps a builder's lease while it is at work, and tells whether it still has it. */
import type { CoordinatorClient } from './coordinator-client.ts'

/** Another builder may be at work on the same sellers by now. */
export class LeaseError extends Error {
  override readonly name = 'LeaseError'
}

export interface KeptLease {
  /** Renews it. Throws a `LeaseError` when it is lost. */
  check(): Promise<void>
  stop(): void
}

interface Granted {
  readonly lease: string
  /** RFC 3339, by the coordinator's clock. */
  readonly until: string
}

/** The clock here may be some minutes off: it is renewed often rather than late. In milliseconds. */
const OFTEN = 60_000
const LEAST = 200

export function keepLease(client: Pick<CoordinatorClient, 'renew'>, { lease, until }: Granted): KeptLease {
  const third = (Date.parse(until) - Date.now()) / 3
  const check = async (): Promise<void> => {
    if (await client.renew(lease)) return
    throw new LeaseError(
      'The lease was lost, and another builder may be at work on the same sellers: nothing was published. They are built by the next run.',
    )
  }
  // What it meets here is met again by the check that counts.
  const timer = setInterval(() => void check().catch(() => {}), Math.min(Math.max(third, LEAST), OFTEN))
  timer.unref()
  return { check, stop: () => clearInterval(timer) }
}
