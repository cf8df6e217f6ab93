/** Gathers what a source hands on, in an order of its own. */
import type { SourceDocument, Problem } from '../../../src/domain/documents/document.ts'
import type { SourceRead } from '../../../src/builder/sources/source.ts'
import { DatabaseSync } from 'node:sqlite'
import { createEmbedded } from '../../../src/builder/sources/embedded/embedded-create.ts'

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

export async function makeEmbedded(path: string, documents: readonly SourceDocument[] = []): Promise<string> {
  await createEmbedded(path, (database) => {
    const insert = database.prepare(
      'INSERT INTO documents (collection, id, update_time, data) VALUES (?, ?, ?, ?)',
    )
    for (const { collection, id, updateTime, data } of documents)
      insert.run(collection, id, updateTime, JSON.stringify(data))
  })
  return path
}

/**
 * As any SQLite tool would: it knows only the table, and OR REPLACE fires no delete triggers. Waits `timeout`
 * milliseconds while another program has locked the database.
 */
export function edit(path: string, sql: string, timeout = 0): void {
  const database = new DatabaseSync(path, { timeout })
  try {
    database.exec(`PRAGMA recursive_triggers = OFF; PRAGMA trusted_schema = OFF; ${sql}`)
  } finally {
    database.close()
  }
}

/** Changes the price of a product as another program would: it waits while the builder has locked the database. */
export function setPrice(path: string, id: string, price: number): void {
  const where = `collection = 'cataloge' AND id = '${id}'`
  edit(path, `UPDATE documents SET data = json_set(data, '$.price', ${price}) WHERE ${where}`, 5_000)
}
