/** Loads a folder into the empty table of a new database. If several lines hold one document, the last counts. */
import type { DatabaseSync } from 'node:sqlite'
import type { SourceDocument } from '../../../domain/documents/document.ts'
import { formatFileName } from '../folder/folder-line.ts'
import type { Source } from '../source.ts'
import type { TransferCount } from '../transfer-count.ts'

const ADD =
  'INSERT INTO documents (collection, id, update_time, data) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING'
const REPLACE = 'UPDATE documents SET update_time = ?3, data = ?4 WHERE collection = ?1 AND id = ?2'
const REMOVE = 'DELETE FROM documents WHERE collection = ? AND id = ?'

export async function loadFolder(
  folder: Source,
  database: DatabaseSync,
  tally: TransferCount,
): Promise<void> {
  const add = database.prepare(ADD)
  const replace = database.prepare(REPLACE)
  const remove = database.prepare(REMOVE)
  const take = (document: SourceDocument): void => {
    const { collection, id, updateTime, data } = document
    const row = [collection, id, updateTime, JSON.stringify(data)] as const
    if (add.run(...row).changes === 1) return tally.count()
    replace.run(...row)
    const reason = `occurs more than once in ${formatFileName(collection)}: the last counts`
    tally.reject({ collection, id, field: '', reason, fatal: false })
  }
  for await (const item of folder.readAll()) {
    if (item.kind === 'document') {
      take(item.document)
      continue
    }
    tally.reject(item.problem)
    if (item.key !== null && remove.run(item.key.collection, item.key.id).changes === 1) tally.discount()
  }
}
