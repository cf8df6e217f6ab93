/** The parsed calls to a coordinator, and its answers. Times are RFC 3339. */

export interface CatalogueNotice {
  readonly id: string
  /** Distinct. */
  readonly sellers: readonly string[]
  /** Requests a full read. */
  readonly isFull: boolean
  /** Number of named sellers that cannot have a page and are left out; absent for none. */
  readonly ignored?: number
  /** Whether it was signed with the secret of notices alone: then the sellers that are new to the site are bounded. */
  readonly isBounded?: boolean
}

export interface NoticeAnswer {
  /** Number of changes in this delivery; 0 for a repeat. */
  readonly accepted: number
  readonly pending: number
  readonly ignored?: number
  /** Nothing was stored: notices named too many new sellers within a minute. Absent otherwise. */
  readonly isTooMuch?: true
}

export interface Claim {
  /** Id of the builder. A repeated claim with the same id returns the same lease. */
  readonly builder: string
  /** The sequence that the builder's state contains; `null` when it has none. */
  readonly have: number | null
  /** Id for a new lease, used if one is granted. */
  readonly newLease: string
}

/** A seller that a notice named, and that may not exist. */
export interface Stranger {
  readonly number: number
  readonly seller: string
}

interface Granted {
  readonly lease: string
  readonly upTo: number
  readonly until: string
  /** The builder tells which of them exist; absent for none. */
  readonly strangers?: readonly Stranger[]
}

export type ClaimAnswer = Granted & ({ readonly sellers: readonly string[] } | { readonly full: true })

export interface RenewAnswer {
  readonly until: string
}

/** Numbers of the strangers of a claim that the source has, and of those that it has not. */
export interface MetStrangers {
  readonly known: readonly number[]
  readonly absent: readonly number[]
}

export type BuildReport =
  | {
      readonly lease: string
      /** `upTo` of the claim's answer. */
      readonly upTo: number
      readonly failed: readonly { readonly seller: string; readonly reason: string }[]
      /** Number of pictures that are still to be made, if the builder says. */
      readonly photos?: number | undefined
      /** Only if the claim's answer named strangers. */
      readonly strangers?: MetStrangers | undefined
    }
  /** The build published nothing. */
  | { readonly lease: string; readonly error: string }

export interface ReportAnswer {
  /** Number of distinct pending sellers. */
  readonly pending: number
}

/** A person and machine, or a run of a workflow; `null` when the caller does not say. */
export type Caller = string | null

export interface PublishCall {
  /** The uploaded version, and the sequence of the state it was built from; 0 for a state without one. */
  readonly version: string
  readonly sequence: number
  /** The previous version published from the same state; `null` for none. */
  readonly base: string | null
  readonly by: Caller
  /** Id for a new lease, used if one is granted. */
  readonly newLease: string
}

/** `busy`: another publish is running. `older`: the live version is newer, or not known to be older. */
export type Refusal = 'held' | 'busy' | 'older'

/** `lasts` in milliseconds. */
export type PublishAnswer =
  | { readonly lease: string; readonly lasts: number }
  | { readonly refused: Refusal; readonly reason: string }

export interface PublishEnd {
  readonly lease: string
  /** `null` when the outcome is unknown. */
  readonly isLive: boolean | null
  readonly by: Caller
}

export interface Hold {
  readonly reason: string
  /** The version that the rollback put live; `null` before it has. */
  readonly live: { readonly version: string; readonly sequence: number } | null
  readonly by: Caller
}

export interface HoldAnswer {
  /** End of the publish lease granted before the hold; `null` without one. */
  readonly busyUntil: string | null
}

export interface Release {
  readonly by: Caller
}

/** A version that was put live without a lease, reported afterwards. */
export interface Forced {
  readonly version: string
  readonly sequence: number
  readonly reason: string
  readonly by: Caller
  /** When it went live; `null` for the time of the report. */
  readonly at: string | null
}

export interface StatusQuery {
  /** Whether the answer includes the audit log. */
  readonly isLogWanted: boolean
}
