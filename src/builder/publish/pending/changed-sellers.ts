/** Wraps a source so that it reports the sellers named by the coordinator as its changes. */
import type { Source } from '../../sources/source.ts'

/** The changed sellers; `all` if any seller may have changed. */
export type NamedSellers = readonly string[] | 'all'

/**
 * Returns a source that reports the named sellers as changed. Unless these are `all`, the cursor in the source's own
 * list of changes is not advanced, because the named sellers may be only a part of that list.
 */
export function limitToSellers(source: Source, named: NamedSellers): Source {
  let kept: { readonly cursor: string | null } | null = null
  return {
    label: source.label,
    readsWhole: source.readsWhole,
    readAll: () => source.readAll(),
    ...(source.readModified && { readModified: source.readModified }),
    readSellers: (sellers) => source.readSellers(sellers),
    readDocuments: (keys) => source.readDocuments(keys),
    readChanges: (cursor) => {
      if (named === 'all') return { kind: 'whole', reason: 'the coordinator requested a full read' }
      kept = { cursor }
      return { kind: 'sellers', sellers: named, documents: [], isExact: false }
    },
    readCursor: () => (kept === null ? source.readCursor() : kept.cursor),
    confirm: () => source.confirm(),
    close: () => source.close(),
  }
}
