/** The interface of publishing to the service that hosts the site. */

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

export interface HostedVersion {
  readonly version: string
  readonly tag: string
  readonly message: string
  /** RFC 3339. */
  readonly created: string
}

/** Every method throws an `Error` whose message is for people, without secrets. */
export interface Hosting {
  upload(upload: Upload): Promise<Uploaded>
  /** Atomic: every visitor gets the old site or the new one. `timeout` in milliseconds. */
  putLive(version: string, message: string, timeout: number): Promise<void>
  /** Uploads, makes the version live, and applies settings outside versions (address, schedule, migrations). */
  deployWhole(upload: Upload): Promise<Uploaded>
  /** Returns the version that all visitors get; `null` without one, or with more than one. */
  findLive(): Promise<string | null>
  /** Returns the versions that were live recently, the present one first. */
  listDeployed(): Promise<readonly HostedVersion[]>
}

const TAG = /^vitrina-(\d{1,16})$/

/** Returns the version's tag, which holds the sequence of the published state. */
export function formatTag(sequence: number): string {
  return `vitrina-${sequence}`
}

/** Returns `null` for a version of other origin, such as one created by a change of a secret. */
export function parseTag(tag: string): number | null {
  const digits = TAG.exec(tag)?.[1]
  return digits === undefined ? null : Number(digits)
}
