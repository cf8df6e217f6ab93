/**
 * The coordinator's interface for changes that the Worker itself renders (`DISPATCH=queue`).
 *
 * A change is noticed, waits until its seller has been quiet, and is sent to the queue. The consumer asks which
 * messages are still wanted, and reports the outcome of each. A report of `put` or `absent` settles all notices of its
 * seller up to `upTo`, however late the report is. Each message has a lease, which only limits how often a change is
 * sent: when the lease ends without a report, the change is sent again.
 */

export interface ChangeMessage {
  readonly name: string
  /** Sequence of the last notice that the message covers. The consumer reads the source after this notice. */
  readonly upTo: number
  readonly sentAt: number
}

/** Calls from the Worker to the coordinator. Each resolves after its changes are durable. */
export interface ChangeLedger {
  /**
   * Returns the messages that are still wanted, one for each seller, and renews their leases unless these have just
   * begun. The returned messages cover all notices until now.
   */
  takeChanges(messages: readonly ChangeMessage[]): Promise<readonly ChangeMessage[]>
  settleChanges(settled: readonly SettledChange[]): Promise<void>
  /**
   * Records changes of these sellers, as if a notice had named them, because products of changed sellers have moved to
   * them. Must be called before the changed sellers are put, because only the objects that the puts replace show which
   * products those sellers had.
   */
  noticeChanges(sellers: readonly string[]): Promise<void>
}

export interface SettledChange extends ChangeMessage {
  readonly outcome: ChangeOutcome
}

/**
 * - `put`: the object was replaced by one made from documents that were read after the message was sent, or by a
 *   tombstone if the seller no longer exists.
 * - `absent`: the seller does not exist and has no object, so there was nothing to put.
 * - `large`: the seller is too large for a Worker, and is left to a builder.
 * - `held`: the guard refused the removal, which is retried after growing delays, and at once when it is permitted.
 * - `failed`: the object of this seller cannot be made or replaced. Only this seller is retried, with growing delays.
 * - `trouble`: the source, the store or another writer prevents the change, and the seller is not the cause. All
 *   waiting changes are retried together, with growing delays.
 */
export type ChangeOutcome =
  | { readonly kind: 'put' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'large'; readonly reason: string }
  | { readonly kind: 'held'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | {
      readonly kind: 'trouble'
      /** For the maintainer. Contains no secret. */
      readonly reason: string
      /** Whether only a person can end the trouble, as with a revoked key. */
      readonly isPermanent: boolean
      /** The pause that the source requested, in milliseconds; 0 for none. */
      readonly retryAfter: number
    }
