/** Renews a builder's lease during a build, and checks it before publishing. */
import type { CoordinatorClient } from '../coordinator/coordinator-client.ts'

/** The lease was lost: another builder may be at work on the same sellers. */
export class LeaseError extends Error {
  override readonly name = 'LeaseError'
}

interface KeptLease {
  /** Renews the lease. Throws a `LeaseError` when it is lost. */
  check(): Promise<void>
  stop(): void
}

interface Granted {
  readonly lease: string
  /** RFC 3339, by the coordinator's clock. */
  readonly until: string
}

/** Max and min renewal interval, in milliseconds. The max is short, because this machine's clock may be minutes off. */
const OFTEN = 60_000
const LEAST = 200

export function keepLease(client: Pick<CoordinatorClient, 'renew'>, { lease, until }: Granted): KeptLease {
  const third = (Date.parse(until) - Date.now()) / 3
  const check = async (): Promise<void> => {
    if (await client.renew(lease)) return
    throw new LeaseError(
      'The lease was lost, and another builder may be at work on the same sellers: nothing was published. The next run builds these sellers.',
    )
  }
  // Errors are ignored here, because the check before publishing fails, too, if the lease is lost.
  const timer = setInterval(() => void check().catch(() => {}), Math.min(Math.max(third, LEAST), OFTEN))
  timer.unref()
  return { check, stop: () => clearInterval(timer) }
}
