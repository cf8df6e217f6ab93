/** The interface of publishing to the service that hosts the site. */
import type { Hosted } from './hosted-versions.ts'

export interface Upload {
  readonly folder: string
  readonly tag: string
  readonly message: string
}

export interface Uploaded {
  readonly version: string
  /** Address of this version alone, `null` without one. */
  readonly address: string | null
  /** Number of files that the host did not have yet, `null` when unknown. */
  readonly files: number | null
}

/** Every method throws an `Error` whose message is for people, without secrets. */
export interface Hosting {
  upload(upload: Upload): Promise<Uploaded>
  /** Atomic: every visitor gets the old site or the new one. `timeout` in milliseconds. */
  putLive(version: string, message: string, timeout: number): Promise<void>
  /**
   * Puts an earlier version live, with the secrets of its time. Returns the names of the secrets that have changed since,
   * separated by commas; `null` when none has.
   */
  putBack(version: string, message: string): Promise<string | null>
  /** Uploads, makes the version live, and applies settings outside versions (address, schedule, migrations). */
  deployWhole(upload: Upload): Promise<Uploaded>
  /** Returns a few words for each address that `deployWhole` would take from others. */
  listTakeovers(): Promise<readonly string[]>
  /** Returns the version that all visitors get; `null` without one, or with more than one. */
  findLive(): Promise<string | null>
  /** Returns what is and was live, and every version that may be put live. */
  readHosted(): Promise<Hosted>
}
