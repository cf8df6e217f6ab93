/** Lane `objects`: prevents the removal of pages that lane `assets` built, until objects have replaced them. */
import { UsageError } from '../../state/usage-error.ts'
import type { SiteRecord } from '../../state/record/record.ts'
import type { Snapshot } from '../../state/snapshot/snapshot.ts'
import type { BuildOptions } from '../options.ts'

type MoveOptions = Pick<BuildOptions, 'configuration' | 'isDeploy' | 'dryRun'>

interface MovedState {
  readonly record: Pick<SiteRecord, 'readSellers'>
  readonly snapshot: Pick<Snapshot, 'waits'>
}

/**
 * Throws a `UsageError` if the rebuild would remove pages of lane `assets` that nothing has replaced yet. A rebuild
 * that delivers needs no check, because it first reads the site's objects, and fails if the site still serves files.
 */
export function checkMove(
  { configuration: { hosting, coordinator }, isDeploy, dryRun }: MoveOptions,
  { record, snapshot }: MovedState,
): void {
  if (hosting.lane === 'assets' || isDeploy || dryRun !== 'no') return
  const { waits } = snapshot
  const isDelivered = waits.readBasis('store') === coordinator.url && !waits.isCompared('store')
  if (isDelivered || record.readSellers().length === 0) return
  throw new UsageError(
    'This rebuild would remove the pages of HOSTING=assets from the output folder, but the site may have no objects yet that replace them: run npm run deploy -- --setup, which publishes the site with these files and delivers the objects. The next rebuild then removes the files.',
  )
}
