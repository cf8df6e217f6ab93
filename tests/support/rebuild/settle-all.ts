/** Settles what a run does that shows everything. */
import type { Snapshot } from '../../../src/builder/state/snapshot/snapshot.ts'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import { takeWhole } from '../edge/items.ts'

export function settleAll({ waits }: Snapshot): void {
  waits.settle(waits.list())
  waits.settleComparison()
}

/** Takes in these documents as they are, and settles every seller. */
export async function takeSettled(snapshot: Snapshot, documents: readonly SourceDocument[]): Promise<void> {
  await takeWhole(snapshot, documents)
  settleAll(snapshot)
}
