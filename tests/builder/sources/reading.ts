/** Gathers what a source hands on, in an order of its own. */
import type { SourceDocument, Problem } from '../../../src/domain/documents/document.ts'
import type { SourceRead } from '../../../src/builder/sources/source.ts'

export interface SourceReading {
  readonly documents: readonly SourceDocument[]
  readonly problems: readonly Problem[]
}

export async function gather(read: SourceRead | Promise<SourceRead>): Promise<SourceReading> {
  const documents: SourceDocument[] = []
  const problems: Problem[] = []
  for await (const item of (await read).items) {
    if (item.kind === 'document') documents.push(item.document)
    else problems.push(item.problem)
  }
  return { documents: sortDocuments(documents), problems }
}

export function sortDocuments(documents: readonly SourceDocument[]): readonly SourceDocument[] {
  return documents.toSorted((a, b) => (formatKey(a) < formatKey(b) ? -1 : 1))
}

export async function gatherKeys(read: SourceRead | Promise<SourceRead>): Promise<readonly string[]> {
  return (await gather(read)).documents.map(formatKey)
}

function formatKey({ collection, id }: SourceDocument): string {
  return `${collection}/${id}`
}
