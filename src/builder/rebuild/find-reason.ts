/** Decides whether everything is due: unless all is as the state left it, nothing of the site is trusted. */
import type { SiteMarker } from '../../domain/wire/site-marker.ts'
import { MARKER } from '../../domain/wire/site-marker.ts'
import { UsageError } from '../files/usage-error.ts'
import { PARTIAL } from '../state/output.ts'
import type { Basis } from './basis.ts'
import { findBasisChanges, formatBasis, parseBasis } from './basis.ts'
import type { PublishingFacts, World } from './world.ts'

/** Marker of the first versions. A folder that has it is ours. */
const EARLIER_MARKER = '.vitrina'

/**
 * Returns why everything is due; `null` if the marker is closed, is the one that the state closed last, under the
 * present basis, the picture store is the one known, and the live site, if the run is published, is this one. Throws a
 * `UsageError` for a folder with files of others.
 */
export function findReason(
  { state, output, options, pictures }: Pick<World, 'state' | 'output' | 'options' | 'pictures'>,
  { marker, basis }: { readonly marker: SiteMarker | null; readonly basis: Basis },
): string | null {
  if (marker === null) return explainMissing(output)
  if (options.isFull) return 'a full read was requested'
  if (marker.state === 'open') return 'the last run did not end'
  const closed = state.read('closed')
  if (closed === null) return 'the state has no run that ended'
  if (closed.run !== marker.run) return 'the output folder and the state are not of the same run'
  if (closed.basis !== formatBasis(basis)) return explainBasis(closed.basis, basis)
  if (!pictures.isOf(closed.run)) return 'the picture store is another one'
  return options.publishing === null ? null : explainLive(options.publishing, closed.run, state.read('since'))
}

/** `since`: the run that was live at the last claim. */
function explainLive({ live, isAtomic }: PublishingFacts, own: string, since: string | null): string | null {
  if (live === null) return 'no site is live yet'
  if (live.run === own) return live.state === 'closed' ? null : 'the last publish did not end'
  return isAtomic && live.run === since ? null : 'another site is live'
}

function explainMissing(output: World['output']): string {
  refuseForeign(output)
  if (output.has(MARKER)) return 'the marker of the output folder is damaged'
  return output.has(EARLIER_MARKER) ? 'an earlier version made the site' : 'there is no site yet'
}

/** Throws a `UsageError` for a folder with files of others. */
export function refuseForeign(output: Pick<World['output'], 'has' | 'list'>): void {
  if (output.has(MARKER) || output.has(EARLIER_MARKER)) return
  const other = output.list('').find(({ path }) => path !== PARTIAL)
  if (other === undefined) return
  throw new UsageError(
    `The output folder has files that are not of this site, such as ${other.path}: name another folder with --out, or, if nobody needs what is in this one, remove it (rm -r), and run again.`,
  )
}

function explainBasis(closed: string, basis: Basis): string {
  const [first, ...others] = findBasisChanges(parseBasis(closed), basis)
  return others.length === 0 ? `${first}` : `${first}, and ${others.length} more`
}
