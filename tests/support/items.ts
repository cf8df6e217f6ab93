/** Documents as a source hands them on, and a snapshot that takes them in. */
import type { Problem, SourceDocument } from '../../src/domain/documents/document.ts'
import type { Change, Position, Snapshot } from '../../src/builder/state/snapshot/snapshot.ts'
import type { DocumentKey, SourceItem } from '../../src/builder/sources/source.ts'

export const POSITION: Position = { source: 'the test', intake: 'intake', cursor: null }

export async function* streamItems(
  documents: readonly SourceDocument[],
  problems: readonly Problem[] = [],
): AsyncGenerator<SourceItem> {
  for (const problem of problems) yield { kind: 'unreadable', problem }
  for (const document of documents) yield { kind: 'document', document }
}

/** `accept` sees the change before it is kept, and may throw to refuse it. */
export function takeWhole(
  snapshot: Snapshot,
  documents: readonly SourceDocument[],
  accept: () => void = () => {},
): Promise<Change> {
  return snapshot.applyWhole(streamItems(documents), () => {
    accept()
    return POSITION
  })
}

/** A read of these sellers from a source that holds `documents`, and of the documents named besides. */
export function takeSellers(
  snapshot: Snapshot,
  sellers: readonly string[],
  documents: readonly SourceDocument[],
  named: readonly DocumentKey[] = [],
): Promise<Change> {
  const read = { sellers, documents: named, items: streamItems(documents.filter(isOf(sellers))) }
  const lookUp = (wanted: readonly DocumentKey[]) =>
    streamItems(
      documents.filter(({ collection, id }) =>
        wanted.some((key) => key.collection === collection && key.id === id),
      ),
    )
  return snapshot.applyPartial({ ...read, lookUp }, () => POSITION)
}

function isOf(sellers: readonly string[]): (document: SourceDocument) => boolean {
  return ({ collection, id, data }) => {
    const seller = collection === 'users' ? id : (data as { owner?: { id?: unknown } }).owner?.id
    return typeof seller === 'string' && sellers.includes(seller)
  }
}
