/** A source whose changes somebody else has been told of and names. It reads what the source underneath reads. */
import type { Source } from '../sources/source.ts'

/** What changed: these sellers, or perhaps anything. */
export type NamedSellers = readonly string[] | 'all'

/** The position in the source's own list of changes stays where it is when only those named are read. */
export function limitToSellers(source: Source, named: NamedSellers): Source {
  let kept: { readonly cursor: string | null } | null = null
  return {
    label: source.label,
    readsWhole: source.readsWhole,
    readAll: () => source.readAll(),
    readSellers: (sellers) => source.readSellers(sellers),
    readDocuments: (keys) => source.readDocuments(keys),
    readChanges: (cursor) => {
      if (named === 'all') return { kind: 'whole', reason: 'the coordinator asks for everything' }
      kept = { cursor }
      return { kind: 'sellers', sellers: named, documents: [] }
    },
    readCursor: () => (kept === null ? source.readCursor() : kept.cursor),
    close: () => source.close(),
  }
}
