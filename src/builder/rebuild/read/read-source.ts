/** Updates the snapshot from the source: reads only changed documents if the source can list them, else everything. */
import { findIdProblem } from '../../../domain/documents/page-id.ts'
import type { Position, Snapshot } from '../../state/snapshot/snapshot.ts'
import { findSeller } from '../../sources/find-seller.ts'
import type { DocumentKey, Items, LookedUp, Source, UnchangedItem } from '../../sources/source.ts'
import { ReadAgainError } from '../../sources/source.ts'
import { countItems } from './count-items.ts'
import { FarReadError } from './far-half.ts'
import type { WholeOptions } from './read-whole.ts'
import { readWhole } from './read-whole.ts'

interface ReadOptions extends WholeOptions {
  /**
   * If not empty, only these sellers are read. Ignored if everything must be read, e.g. because the source is another
   * one.
   */
  readonly sellers: readonly string[]
  readonly isFull: boolean
}

export interface ReadResult {
  readonly reads: number
  /** Why everything was read; `null` if only changed documents were. */
  readonly wholeReason: string | null
  /** Named sellers that neither the source nor the snapshot knows. */
  readonly unknownSellers: readonly string[]
}

interface Scope {
  readonly sellers: readonly string[]
  readonly documents: readonly DocumentKey[]
  /** True if only `documents` are read; false if all documents of `sellers` are read. */
  readonly isExact: boolean
  /** True if this read brings the snapshot to the source's current position. */
  readonly isCatchingUp: boolean
}

/**
 * Reads the source. Repeats the read if another program changed the source meanwhile, or if the thread that reads half
 * of it failed. The repetitions end, because after some seconds the read locks a source that keeps changing.
 */
export async function readSource(
  source: Source,
  snapshot: Snapshot,
  options: ReadOptions,
): Promise<ReadResult> {
  let startFar = options.startFar ?? null
  for (;;) {
    const missing = new Set(options.sellers.filter((seller) => !snapshot.hasSeller(seller)))
    try {
      const read = await readOnce(missing.size === 0 ? source : noteSellers(source, missing), snapshot, {
        ...options,
        startFar,
      })
      return { ...read, unknownSellers: [...missing] }
    } catch (error) {
      if (error instanceof FarReadError) startFar = null
      else if (!(error instanceof ReadAgainError)) throw error
    }
  }
}

/** Wraps the source so that each document that is read, even an invalid one, removes its seller from `missing`. */
function noteSellers(source: Source, missing: Set<string>): Source {
  async function* note<T extends LookedUp | UnchangedItem>(items: Items<T>): AsyncGenerator<T> {
    for await (const item of items) {
      if (item.kind === 'document') missing.delete(findSeller(item.document) ?? '')
      yield item
    }
  }
  // Leaves out `divide`, because another thread would not note the sellers that it reads.
  const { readModified, divide: _, ...others } = source
  return {
    ...others,
    readAll: () => note(source.readAll()),
    ...(readModified && { readModified: (isUnchanged) => note(readModified(isUnchanged)) }),
    readSellers: (sellers) => note(source.readSellers(sellers)),
  }
}

type Read = Omit<ReadResult, 'unknownSellers'>

async function readOnce(source: Source, snapshot: Snapshot, options: ReadOptions): Promise<Read> {
  const position = snapshot.readPosition()
  const scope = await findScope(source, position, options)
  if (typeof scope === 'string') {
    return { reads: await readWhole(source, snapshot, options), wholeReason: scope }
  }
  // Also reads the documents whose removal is no longer held back, so that this read applies the removal.
  const released = options.hold ? snapshot.findReleased(options.hold.released) : []
  const documents = [...scope.documents, ...released]
  if (scope.sellers.length === 0 && documents.length === 0) {
    await source.confirm()
    return { reads: 0, wholeReason: null }
  }
  const cursor = scope.isCatchingUp ? await source.readCursor() : (position?.cursor ?? null)
  const read = scope.isExact ? source.readDocuments(documents) : source.readSellers(scope.sellers)
  const change = await snapshot.applyPartial(
    {
      sellers: scope.isExact ? [] : scope.sellers,
      documents,
      // Includes sellers whose documents are unchanged, because another builder may have published other data of these
      // sellers since the last read. Leaves out ids that cannot have a page.
      named: scope.sellers.filter((seller) => findIdProblem(seller) === null),
      items: countItems(read, options.progress),
      lookUp: (vanished) => source.readDocuments(vanished),
    },
    async (found) => {
      await source.confirm()
      options.accept(found)
      return { source: source.label, intake: options.intake, cursor }
    },
    options.hold,
  )
  return { reads: change.reads, wholeReason: null }
}

/** Returns the scope of the read. If everything must be read, returns the reason instead. */
async function findScope(
  source: Source,
  position: Position | null,
  { sellers, isFull, intake }: ReadOptions,
): Promise<Scope | string> {
  if (position === null) return 'first read'
  if (position.source !== source.label) return 'a different source than last time'
  if (position.intake !== intake) return 'Node or the code that reads documents changed'
  if (isFull) return 'requested with --full'
  if (sellers.length > 0) return { sellers, documents: [], isExact: false, isCatchingUp: false }
  const changes = await source.readChanges(position.cursor)
  return changes.kind === 'whole' ? changes.reason : { ...changes, isCatchingUp: true }
}
