/** Compares the live version at the host with the one that the coordinator has recorded. Pure. */
import type { Status } from '../../domain/wire/coordinator-status.ts'
import type { Hosted } from './cloudflare/hosted-versions.ts'
import { findPages, parseTag } from './cloudflare/hosted-versions.ts'

export interface Drift {
  /** Description of the difference, without a full stop. */
  readonly what: string
  /** The way out, without a full stop. */
  readonly advice: string
  /** The version that the coordinator should record; `null` if no version or several versions are live. */
  readonly live: { readonly version: string; readonly sequence: number } | null
}

const REPLACE =
  'npm run deploy -- --hold keeps what is live, npm run deploy -- --release lets the next build replace it'
const CHOOSE =
  'npm run deploy -- --rollback --to <version> puts one version live for all visitors and holds publishing, npm run deploy -- --release then lets the next build replace it'

/**
 * Returns `null` if the live version shows the pages of the recorded version, or of the version `doubtful`, which may
 * be live because its publisher never reported the outcome. Also returns `null` if the coordinator has recorded no
 * version, as before the first publish.
 */
export function findDrift(hosted: Hosted, { live, doubtful }: Status['publishing']): Drift | null {
  if (live === null) return null
  const known = `the coordinator has recorded ${live.version} as live`
  const [first, ...others] = hosted.live
  if (first === undefined || others.length > 0) {
    const found =
      first === undefined ? 'nothing is live' : `${hosted.live.length} versions share the visitors`
    return { what: `${found} at Cloudflare, but ${known}`, advice: CHOOSE, live: null }
  }
  const show = (id: string): string => findPages(id, hosted)?.version ?? id
  if ([live.version, doubtful].some((id) => id === first || (id !== null && show(id) === show(first))))
    return null
  const version = hosted.versions.find((one) => one.version === first)
  const made = version === undefined ? '' : ` of ${version.created}`
  return {
    what: `version ${first}${made} is live at Cloudflare, but ${known}`,
    advice: REPLACE,
    live: { version: first, sequence: parseTag(findPages(first, hosted)?.tag ?? '') ?? live.sequence },
  }
}
