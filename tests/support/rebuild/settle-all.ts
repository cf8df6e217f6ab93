/** Settles a view as a run does that shows everything. */
import type { Snapshot } from '../../../src/builder/state/snapshot/snapshot.ts'
import type { WaitingView } from '../../../src/builder/state/snapshot/waits.ts'

export function settleAll({ waits }: Snapshot, view: WaitingView = 'files'): void {
  waits.settle(view, waits.list(view))
  waits.settleComparison(view)
}
