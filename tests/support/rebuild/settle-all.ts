/** Settles a view as a run does that shows everything. */
import type { Snapshot } from '../../../src/builder/state/snapshot/snapshot.ts'
import type { WaitingView } from '../../../src/builder/state/snapshot/waits.ts'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import { takeWhole } from '../edge/items.ts'

export function settleAll({ waits }: Snapshot, view: WaitingView = 'files'): void {
  waits.settle(view, waits.list(view))
  waits.settleComparison(view)
}

/** Takes in these documents as they are, and settles every seller. */
export async function takeSettled(snapshot: Snapshot, documents: readonly SourceDocument[]): Promise<void> {
  await takeWhole(snapshot, documents)
  settleAll(snapshot)
}
