/** Undelivered notices and queue messages of a story, and the errors with which its source answers. */
import type { ChangeMessage } from '../../../../src/edge/coordinator/change-ledger.ts'
import type { TroubleKind } from '../../../../src/edge/intake/seller-source.ts'
import type { SourceAnswer } from '../traffic.ts'
import type { StorySource } from './source.ts'

export interface StoryNotice {
  /** Every delivery of the notice has this id. */
  readonly id: string
  readonly sellers: readonly string[]
}

export interface QueuedChange {
  readonly body: ChangeMessage
  attempts: number
  /** Whether the message is in the dead-letter queue. */
  isBuried: boolean
}

/** A read of one seller from the source. `known`: ids of products known to have belonged to the seller. */
export interface SourceQuestion {
  readonly seller: string
  readonly known: readonly string[]
}

export class StoryQueue {
  readonly notices: StoryNotice[] = []
  /** Messages that the queue may still deliver. */
  readonly changes: QueuedChange[] = []
  trouble: { readonly trouble: TroubleKind; readonly retryAfter: number } | null = null
  readonly large = new Set<string>()
  /** Sellers that a consumer has found too large, so that their changes may be left to a builder. */
  readonly left = new Set<string>()
  #count = 0

  /** Adds a notice of the sellers. Returns `null` if no name is the id of a seller. */
  announce(names: readonly string[]): StoryNotice | null {
    const sellers = names.filter((name) => name !== '')
    if (sellers.length === 0) return null
    const notice = { id: `notice_${(this.#count += 1)}`, sellers }
    this.notices.push(notice)
    return notice
  }

  send(messages: readonly ChangeMessage[]): void {
    this.changes.push(...messages.map((body) => ({ body, attempts: 1, isBuried: false })))
  }

  /**
   * Returns up to `count` messages, beginning with message `pick` (modulo their number). A negative `pick` counts from
   * the end.
   */
  take(pick: number, count: number): readonly QueuedChange[] {
    const { length } = this.changes
    const first = Math.max(0, pick < 0 ? length + pick : pick % Math.max(1, length))
    return this.changes.slice(first, first + count)
  }

  forget(message: QueuedChange): void {
    if (this.changes.includes(message)) this.changes.splice(this.changes.indexOf(message), 1)
  }

  answer({ seller, known }: SourceQuestion, source: StorySource): SourceAnswer {
    if (this.trouble !== null) return { kind: 'trouble', ...this.trouble }
    if (this.large.has(seller) && source.read(seller) !== null) {
      this.left.add(seller)
      return { kind: 'large', reason: 'it has too many products' }
    }
    return source.documents.readSeller(seller, known)
  }
}
