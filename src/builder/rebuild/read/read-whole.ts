/** Reads a whole source into the snapshot. A large source is read in two halves, one of them by another thread. */
import type { Items, Source, SourceItem, UnchangedCheck, UnchangedItem } from '../../sources/source.ts'
import type { SnapshotChange, HoldRule, Position, Snapshot } from '../../state/snapshot/snapshot.ts'
import { countItems } from './count-items.ts'
import type { StartFar } from './far-half.ts'

export interface WholeOptions {
  /** Hash of the code that turns documents into the snapshot's entries. */
  readonly intake: string
  /** Called with each change before it is committed; throws to refuse it. */
  readonly accept: (change: SnapshotChange) => void
  /** If missing or `null`, no removals are held back, and none are released. */
  readonly hold?: HoldRule | null
  /** Called with the number of documents that this thread has read so far. */
  readonly progress: (count: number) => void
  /** If missing or `null`, this thread reads everything. */
  readonly startFar?: StartFar | null
}

/** Returns the number of documents. Throws a `FarReadError` if the other thread fails. */
export async function readWhole(
  source: Source,
  snapshot: Snapshot,
  { intake, accept, hold, progress, startFar }: WholeOptions,
): Promise<number> {
  const position = { source: source.label, intake, cursor: await source.readCursor() }
  const isCompared = canCompare(snapshot, position)
  const halves = startFar ? ((await source.divide?.()) ?? null) : null
  const far = startFar && halves ? startFar(halves.far, isCompared) : null
  const comparison = isCompared ? keepError(snapshot.createUnchangedCheck()) : null
  try {
    const items = readItems(halves?.near ?? source, comparison && comparison.isUnchanged)
    const change = await snapshot.applyWhole(
      {
        items: countItems(items, progress),
        part: far && far.part,
        readAgain: () => countItems(source.readAll(), progress),
      },
      async (found) => {
        await source.confirm()
        accept(found)
        return position
      },
      hold,
    )
    return change.reads
  } catch (error) {
    throw comparison?.readError() ?? error
  } finally {
    await far?.end()
  }
}

interface Comparison {
  readonly isUnchanged: UnchangedCheck
  /** Returns the error that the check threw, or `null`. */
  readonly readError: () => unknown
}

// Keeps an error of the check, such as damage to the snapshot. Otherwise the source, which calls the check, would
// report the error as its own, and a damaged snapshot would not be repaired.
function keepError(isUnchanged: UnchangedCheck): Comparison {
  let kept: unknown = null
  return {
    isUnchanged: (key, text) => {
      try {
        return isUnchanged(key, text)
      } catch (error) {
        kept = error
        throw error
      }
    },
    readError: () => kept,
  }
}

function readItems(
  source: Pick<Source, 'readAll' | 'readModified'>,
  isUnchanged: UnchangedCheck | null,
): Items<SourceItem | UnchangedItem> {
  return (isUnchanged && source.readModified?.(isUnchanged)) ?? source.readAll()
}

// Returns whether unchanged documents need no parsing: only if the same code made the entries from the same source.
function canCompare(snapshot: Snapshot, { source, intake }: Position): boolean {
  const earlier = snapshot.readPosition()
  const isSame = earlier?.source === source && earlier.intake === intake
  return isSame && snapshot.readTotals().sellers > 0
}
