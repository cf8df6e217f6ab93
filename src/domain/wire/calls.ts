/** The calls that a coordinator takes, as parsed from their bodies, and its answers. Times are RFC 3339. */

export interface CatalogueNotice {
  readonly id: string
  /** Distinct. */
  readonly sellers: readonly string[]
  /** Asks for everything to be read. */
  readonly isFull: boolean
}

export interface NoticeAnswer {
  /** Changes taken from this delivery; 0 for a repeat. */
  readonly accepted: number
  readonly pending: number
}

export interface Claim {
  /** Who asks: the same text again gets the same lease again. */
  readonly builder: string
  /** The sequence that the builder's state contains; `null` when it has none. */
  readonly have: number | null
  /** The name of a new lease, should there be one. */
  readonly newLease: string
}

interface Granted {
  readonly lease: string
  readonly upTo: number
  readonly until: string
}

export type ClaimAnswer = Granted & ({ readonly sellers: readonly string[] } | { readonly full: true })

export interface RenewAnswer {
  readonly until: string
}

export type BuildReport =
  | {
      readonly lease: string
      /** As the claim's answer said. */
      readonly upTo: number
      readonly failed: readonly { readonly seller: string; readonly reason: string }[]
    }
  /** Nothing was published. */
  | { readonly lease: string; readonly error: string }

export interface ReportAnswer {
  /** Distinct sellers that wait now. */
  readonly pending: number
}

export interface PublishCall {
  /** The version that was uploaded, and the sequence of the state it was made from; 0 for a state without. */
  readonly version: string
  readonly sequence: number
  /** The version that the same state published before, `null` when it has published none. */
  readonly base: string | null
  /** The name of a new lease, should there be one. */
  readonly newLease: string
}

/** `busy`: another publishes just now. `older`: what is live is newer, or not known to be older. */
export type Refusal = 'held' | 'busy' | 'older'

/** `lasts` in milliseconds. */
export type PublishAnswer =
  { readonly lease: string; readonly lasts: number } | { readonly refused: Refusal; readonly reason: string }

export interface PublishEnd {
  readonly lease: string
  /** `null` when it is not known whether the version is live now. */
  readonly isLive: boolean | null
}

export interface Hold {
  readonly reason: string
  /** What was put live instead; `null` when nothing was, so far. */
  readonly live: { readonly version: string; readonly sequence: number } | null
}

export interface HoldAnswer {
  /** A version is being put live just now, at most until then: its publisher had begun before. */
  readonly busyUntil: string | null
}
