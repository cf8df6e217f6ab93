/** What publishing needs of the place that serves the site. */

export interface Upload {
  readonly folder: string
  readonly tag: string
  readonly message: string
}

export interface Uploaded {
  readonly version: string
  /** Where the version alone can be looked at, `null` when there is no such address. */
  readonly address: string | null
  /** Files that were not there yet; `null` when that is not known. */
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
  /** As one step: every visitor has the old site or the new one. `timeout` in milliseconds. */
  putLive(version: string, message: string, timeout: number): Promise<void>
  /** Upload, switch and what is no part of a version (address, schedule, migrations), in one go. */
  deployWhole(upload: Upload): Promise<Uploaded>
  /** The version that all visitors get; `null` when there is none, or more than one. */
  findLive(): Promise<string | null>
  /** Versions that were live lately, the present one first. */
  listDeployed(): Promise<readonly HostedVersion[]>
}

const TAG = /^vitrina-(\d{1,16})$/

/** How a version's tag tells the sequence of the state that it was made from. */
export function formatTag(sequence: number): string {
  return `vitrina-${sequence}`
}

/** `null` for a version that was not published from here, such as one that a change of a secret makes. */
export function parseTag(tag: string): number | null {
  const digits = TAG.exec(tag)?.[1]
  return digits === undefined ? null : Number(digits)
}
