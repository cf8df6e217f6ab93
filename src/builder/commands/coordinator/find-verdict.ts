/** Judges a site's status: returns one line that says whether a person must act, and the list of all problems. Pure. */
import type { Status } from '../../../domain/wire/coordinator-status.ts'
import { findStatusProblems } from '../../../domain/wire/status-problems.ts'
import { formatAge, formatCount } from '../../format-numbers.ts'
import { findDrift } from '../../publish/drift.ts'
import type { Hosted } from '../../publish/cloudflare/hosted-versions.ts'

export interface StatusVerdict {
  readonly line: string
  /** Problems that a person must solve, worst first. */
  readonly stuck: readonly string[]
}

/** `hosted` is `null` when Cloudflare was not asked or did not answer. */
export function findVerdict(status: Status, hosted: Hosted | null): StatusVerdict {
  const drift = hosted === null ? null : findDrift(hosted, status.publishing)
  const stuck = [...(drift === null ? [] : [`${drift.what}: ${drift.advice}`]), ...findStatusProblems(status)]
  const [worst, ...others] = stuck
  if (worst === undefined) return { line: `OK: ${describeWell(status)}`, stuck }
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  return { line: `ATTENTION: ${worst}${more}`, stuck }
}

function describeWell({ now, publishing: { live }, pending, full, running }: Status): string {
  const age = live === null ? '' : `, live for ${formatAge(now, live.at)}`
  const waiting = [...(pending > 0 ? [formatCount(pending, 'seller')] : []), ...(full ? ['a full read'] : [])]
  const verb = pending + Number(full) > 1 ? 'wait' : 'waits'
  const what = waiting.length === 0 ? 'nothing waits' : `${waiting.join(' and ')} ${verb}`
  return `version ${live?.version ?? 'unknown'}${age}; ${what}${running === null ? '' : '; a build runs'}`
}
