/** Lane `objects`: keeps the files of a site that still is one of files. */
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
 * Throws a `UsageError` if the rebuild would remove pages of lane `assets` that nothing has replaced yet. One that delivers
 * asks the site before.
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
    'The output folder holds the pages of HOSTING=assets, and the site is not known to have objects in their place: run npm run deploy -- --setup, which publishes the site with these files and delivers the objects. The next rebuild removes the files.',
  )
}
