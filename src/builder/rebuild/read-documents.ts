/** Reads the source into the state, within a transaction that the caller has opened: everything, or what changed. */
import type { SiteMarker } from '../../domain/wire/site-marker.ts'
import type { Source, SourceRead } from '../sources/source.ts'
import type { AppliedRead } from '../state/apply-read.ts'
import type { SiteState, SourcePosition } from '../state/site-state.ts'
import { UsageError } from '../files/usage-error.ts'
import { formatNumber } from '../format-numbers.ts'
import { checkShrink } from './shrink-guard.ts'
import type { World } from './world.ts'

export interface DocumentsRead extends AppliedRead {
  /** Named sellers that neither the source nor the state has. */
  readonly unknownSellers: readonly string[]
}

interface ReadOptions {
  /** True if everything is due, so that the whole source is read. */
  readonly isWhole: boolean
  /** The marker of the site before the run. */
  readonly marker: SiteMarker | null
  /** True if the file system of the output folder treats `a` and `A` as the same name. */
  readonly ignoresCase: boolean
}

/** Throws a `ShrinkError` if the read takes away too much, and a `SourceError` if the source cannot be read. */
export async function readDocuments(
  { openSource, options, state, progress }: World,
  { isWhole, marker, ignoresCase }: ReadOptions,
): Promise<DocumentsRead> {
  const { sellers: named } = options
  const known = new Set(named.filter((seller) => state.hasSeller(seller)))
  const source = await openSource()
  try {
    const position = state.read('source')
    const read = isWhole ? await source.readAll() : await readScope(source, position, options)
    const applied = await state.applyRead(read, {
      isExplained: options.isExplained,
      progress: (count) =>
        progress(count === 0 ? 'Reading documents' : `Reading documents: ${formatNumber(count)}`),
    })
    checkShrink(applied, isWhole ? marker : null, options.isShrinkAllowed)
    if (ignoresCase && applied.changed.length > 0) refuseSameInCase(state)
    // A read of named sellers does not move the position in a log.
    if (read.cursor !== null || read.sellers === null)
      state.write('source', { source: source.label, cursor: read.cursor })
    const unknownSellers = named.filter((seller) => !known.has(seller) && !state.hasSeller(seller))
    return { ...applied, unknownSellers }
  } finally {
    await source.close()
  }
}

/** Reads as little as the source permits. */
async function readScope(
  source: Source,
  position: SourcePosition | null,
  { sellers, isClaimed }: World['options'],
): Promise<SourceRead> {
  if (position?.source !== source.label) return source.readAll()
  if (position.cursor !== null)
    return (await source.readChanges(position.cursor, sellers)) ?? source.readAll()
  // Without a log, names are enough only if a coordinator has named all who changed.
  return isClaimed ? source.readSellers(sellers) : source.readAll()
}

function refuseSameInCase(state: SiteState): void {
  const pair = state.findSameInCase()
  if (pair === null) return
  throw new UsageError(
    `The ids ${JSON.stringify(pair[0])} and ${JSON.stringify(pair[1])} differ in case only, and the disk of the output folder does not tell them apart: build on another disk.`,
  )
}
