/** Writes documents as the files of a folder, one a line, in the order in which they come. */
import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import type { Collection, SourceDocument } from '../../../domain/documents/document.ts'
import type { SourceItem } from '../source.ts'
import type { TransferCount } from '../transfer-count.ts'

/** In characters. */
const CHUNK = 1024 * 1024

/** What cannot be read is left out and reported. Each file must not exist yet. */
export async function writeDocuments(
  items: AsyncIterable<SourceItem>,
  files: Readonly<Record<Collection, string>>,
  tally: TransferCount,
): Promise<void> {
  const users = new LineWriter(await open(files.users, 'wx'))
  const cataloge = new LineWriter(await open(files.cataloge, 'wx'))
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

class LineWriter {
  readonly #file: FileHandle
  #held = ''

  constructor(file: FileHandle) {
    this.#file = file
  }

  async write(line: string): Promise<void> {
    this.#held += line
    if (this.#held.length >= CHUNK) await this.flush()
  }

  async flush(): Promise<void> {
    await this.#file.writeFile(this.#held)
    this.#held = ''
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}
