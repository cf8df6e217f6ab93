/** Writes documents to the files of a folder, one document per line, in the order of `items`. */
import { open } from 'node:fs/promises'
import type { Collection, SourceDocument } from '../../../domain/documents/document.ts'
import type { Items, SourceItem } from '../source.ts'
import type { TransferCount } from '../transfer-count.ts'

/** Characters of text collected before a write. The last write may have fewer. */
const CHUNK = 1024 * 1024

/** Unreadable items are left out and reported. The files must not exist yet. */
export async function writeDocuments(
  items: Items<SourceItem>,
  files: Readonly<Record<Collection, string>>,
  tally: TransferCount,
): Promise<void> {
  const users = await openLineWriter(files.users)
  const cataloge = await openLineWriter(files.cataloge)
  const writers = { users, cataloge }
  try {
    for await (const item of items) {
      if (item.kind === 'unreadable') {
        tally.reject(item.problem)
        continue
      }
      await writers[item.document.collection].write(formatLine(item.document))
      tally.count()
    }
    await users.flush()
    await cataloge.flush()
  } finally {
    await users.close()
    await cataloge.close()
  }
}

function formatLine({ id, updateTime, data }: SourceDocument): string {
  return `${JSON.stringify({ id, updateTime: updateTime ?? undefined, data })}\n`
}

interface LineWriter {
  write(line: string): Promise<void>
  flush(): Promise<void>
  close(): Promise<void>
}

async function openLineWriter(path: string): Promise<LineWriter> {
  const file = await open(path, 'wx')
  let held = ''
  const flush = async (): Promise<void> => {
    await file.writeFile(held)
    held = ''
  }
  return {
    write: async (line) => {
      held += line
      if (held.length >= CHUNK) await flush()
    },
    flush,
    close: () => file.close(),
  }
}
