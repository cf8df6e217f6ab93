/** The interface to the hosting service that publishing needs. */
import type { Hosted } from './hosted-versions.ts'

export interface Upload {
  readonly tag: string
  readonly message: string
}

export interface Uploaded {
  readonly version: string
  /** Number of files that were uploaded because the host did not have them; `null` if unknown. */
  readonly files: number | null
}

/** If a method fails, it rejects with an `Error` whose message contains no secrets, so the message can be printed. */
export interface Hosting {
  upload(upload: Upload): Promise<Uploaded>
  /**
   * Atomic: every visitor gets the old site or the new one. `timeout` is the max time of each call to the host, in
   * milliseconds.
   */
  putLive(version: string, message: string, timeout: number): Promise<void>
  /**
   * Puts an earlier version live, with the secrets of that version. Returns the names of the secrets that have changed
   * since that version was created, as the host lists them; `null` if none has.
   */
  putBack(version: string, message: string): Promise<string | null>
  /** Uploads, makes the version live, and applies settings outside versions (address, schedule, migrations). */
  deployWhole(upload: Upload): Promise<Uploaded>
  /** Returns a phrase for each address that `deployWhole` would take from another owner. */
  listTakeovers(): Promise<readonly string[]>
  /** Returns the version that all visitors get; `null` if no version or more than one is live. */
  findLive(): Promise<string | null>
  /** Returns the live versions, the recently live ones, and the versions that may be put live. */
  readHosted(): Promise<Hosted>
}
