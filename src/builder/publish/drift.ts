/** Compares the live version at the host with the one that the coordinator has recorded. Pure. */
import type { Status } from '../../domain/wire/coordinator-status.ts'
import type { Hosted } from './cloudflare/hosted-versions.ts'
import { findPages, parseTag } from './cloudflare/hosted-versions.ts'

export interface Drift {
  /** Description of the difference, without a full stop. */
  readonly what: string
  /** The version that the coordinator should record; `null` if no version or several versions are live. */
  readonly live: { readonly version: string; readonly sequence: number } | null
}

/**
 * Returns `null` if the live version shows the pages of the recorded version, or of the version `doubtful`, which may
 * be live because its publisher never reported the outcome. Also returns `null` if the coordinator has recorded no
 * version, as before the first publish.
 */
export function findDrift(hosted: Hosted, { live, doubtful }: Status['publishing']): Drift | null {
  if (live === null) return null
  const known = `the coordinator has recorded ${live.version} as live`
  const [first, ...others] = hosted.live
  if (first === undefined) return { what: `nothing is live at Cloudflare, but ${known}`, live: null }
  if (others.length > 0)
    return {
      what: `${hosted.live.length} versions share the visitors at Cloudflare, but ${known}`,
      live: null,
    }
  const show = (id: string): string => findPages(id, hosted)?.version ?? id
  if ([live.version, doubtful].some((id) => id === first || (id !== null && show(id) === show(first))))
    return null
  const version = hosted.versions.find((one) => one.version === first)
  const made = version === undefined ? '' : ` of ${version.created}`
  return {
    what: `version ${first}${made} is live at Cloudflare, but ${known}`,
    live: { version: first, sequence: parseTag(findPages(first, hosted)?.tag ?? '') ?? live.sequence },
  }
}
