/** Gathers what a source hands on, in an order of its own. */
import type { SourceDocument, Problem } from '../../../src/domain/documents/document.ts'
import type { Items, LookedUp } from '../../../src/builder/sources/source.ts'

export interface SourceReading {
  readonly documents: readonly SourceDocument[]
  readonly problems: readonly Problem[]
}

export async function gather(items: Items<LookedUp>): Promise<SourceReading> {
  const documents: SourceDocument[] = []
  const problems: Problem[] = []
  for await (const item of items) {
    if (item.kind === 'document') documents.push(item.document)
    else if (item.kind === 'unreadable') problems.push(item.problem)
  }
  return { documents: sortDocuments(documents), problems }
}

export function sortDocuments(documents: readonly SourceDocument[]): readonly SourceDocument[] {
  return documents.toSorted((a, b) => (formatKey(a) < formatKey(b) ? -1 : 1))
}

export async function gatherKeys(items: Items<LookedUp>): Promise<readonly string[]> {
  return (await gather(items)).documents.map(formatKey)
}

function formatKey({ collection, id }: SourceDocument): string {
  return `${collection}/${id}`
}
