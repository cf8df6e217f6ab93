/** The options and dependencies of a publish, and its outcome. */
import type { Hosting, Uploaded } from './cloudflare/hosting.ts'
import type { PublishApproval } from './coordinator/coordinator-approval.ts'
import type { LiveFile } from './live-file.ts'
import type { Verification } from './verify-site.ts'

export interface PublishWorld {
  readonly hosting: Hosting
  readonly gate: PublishApproval
  readonly published: LiveFile
  /** The coordinator's sequence up to which the state has all changes; 0 before the first claim. */
  readonly sequence: number
  /** Hash of the run that made the site and of the Worker's code. */
  readonly digest: string
  /** True if the site may go live without permission when a call to the coordinator fails. */
  readonly isForced: boolean
  /**
   * True if a forced publish may replace a live version that has later changes than this state. No effect unless
   * `isForced`.
   */
  readonly isOlderAllowed: boolean
  /**
   * True if a setup may take domains that belong to another Worker, or have DNS records that Cloudflare would replace.
   */
  readonly isTakeoverAllowed: boolean
  /** The person or workflow that publishes. */
  readonly by: string
  verify(): Verification
  /** Compares these files with the live site. Returns a description of the first problem, or `null`. */
  look(paths: readonly string[]): Promise<string | null>
  readonly progress: (text: string) => void
  /** Pause before a call is repeated, in milliseconds, if a different answer is expected soon. */
  readonly pause?: number
}

export interface PublishOutcome {
  readonly kind: 'published' | 'unchanged' | 'forced'
  readonly version: string
  /** `null` when nothing was uploaded. */
  readonly uploaded: Uploaded | null
  readonly verification: Verification
}
