/** Items of a source, and a snapshot that reads them. */
import type { Problem, SourceDocument } from '../../../src/domain/documents/document.ts'
import { batchItems } from '../../../src/builder/sources/batch-items.ts'
import type {
  SnapshotChange,
  HoldRule,
  Position,
  Snapshot,
  WholeRead,
} from '../../../src/builder/state/snapshot/snapshot.ts'
import type { DocumentKey, SourceItem } from '../../../src/builder/sources/source.ts'

export const POSITION: Position = { source: 'the test', intake: 'intake', cursor: null }

export async function* streamItems(
  documents: readonly SourceDocument[],
  problems: readonly Problem[] = [],
): AsyncGenerator<SourceItem> {
  for (const problem of problems) yield { kind: 'unreadable', key: problem, problem }
  for (const document of documents) yield { kind: 'document', document }
}

/** A read of a source without texts. */
export function createWholeRead(items: AsyncIterable<SourceItem>): WholeRead {
  const batches = batchItems(items)
  return { items: batches, part: null, readAgain: () => batches }
}

/** `accept` receives the change before the commit, and throws to refuse it. */
export function takeWhole(
  snapshot: Snapshot,
  documents: readonly SourceDocument[],
  accept: () => void = () => {},
  rule: HoldRule | null = null,
): Promise<SnapshotChange> {
  const settle = (): Position => {
    accept()
    return POSITION
  }
  return snapshot.applyWhole(createWholeRead(streamItems(documents)), settle, rule)
}

/** A partial read from a source with `documents`: of these sellers, and of the documents given by key. */
export function takeSellers(
  snapshot: Snapshot,
  sellers: readonly string[],
  documents: readonly SourceDocument[],
  named: readonly DocumentKey[] = [],
  rule: HoldRule | null = null,
): Promise<SnapshotChange> {
  const items = batchItems(streamItems(documents.filter(isOf(sellers))))
  const read = { sellers, documents: named, named: [], items }
  const lookUp = (wanted: readonly DocumentKey[]) =>
    streamItems(
      documents.filter(({ collection, id }) =>
        wanted.some((key) => key.collection === collection && key.id === id),
      ),
    )
  return snapshot.applyPartial({ ...read, lookUp }, () => POSITION, rule)
}

function isOf(sellers: readonly string[]): (document: SourceDocument) => boolean {
  return ({ collection, id, data }) => {
    const seller = collection === 'users' ? id : (data as { owner?: { id?: unknown } }).owner?.id
    return typeof seller === 'string' && sellers.includes(seller)
  }
}
