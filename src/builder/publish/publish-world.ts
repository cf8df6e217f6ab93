/** The world of a publish, and its outcome. */
import type { Hosting, Uploaded } from './cloudflare/hosting.ts'
import type { PublishApproval } from './coordinator/publish-approval.ts'
import type { PublishedState } from './published-state.ts'
import type { Verification } from './verify-site.ts'

export interface PublishWorld {
  readonly hosting: Hosting
  readonly gate: PublishApproval
  readonly published: PublishedState
  readonly folder: string
  /** The coordinator's sequence contained in the state of the site; 0 before the first claim. */
  readonly sequence: number
  /** Lane `objects`: the beginning of the name of the Worker's code; `null` in lane `assets`. */
  readonly code: string | null
  /** Hash of the site and of the Worker's code. */
  readonly digest: string
  /** Whether it may go live without permission while the coordinator cannot be asked. */
  readonly isForced: boolean
  /**
   * Whether it may then replace a version of a later sequence: its state knows no claim since, but has read everything.
   */
  readonly isOlderAllowed: boolean
  /** Whether a setup may take domains that are in other hands. */
  readonly isTakeoverAllowed: boolean
  /** The person or workflow that publishes. */
  readonly by: string
  verify(): Promise<Verification>
  /** Returns the first difference between the live site and these files, or `null`. */
  look(paths: readonly string[]): Promise<string | null>
  readonly progress: (text: string) => void
  /** Pause between looks at a host that contradicts the coordinator, in milliseconds. */
  readonly pause?: number
}

export interface PublishOutcome {
  readonly kind: 'published' | 'unchanged' | 'forced'
  readonly version: string
  /** `null` when nothing was uploaded. */
  readonly uploaded: Uploaded | null
  readonly verification: Verification
}
