/** Sends files that the site's store lacks. Skips files that the store is known to have. */
import { LARGEST_PUSH } from '../../../domain/wire/call.ts'
import type { FilesCall } from '../../../domain/wire/object-calls.ts'
import { MAX_FILES, MAX_PATHS } from '../../../domain/wire/object-calls.ts'
import type { Limit } from '../../../domain/work/batches.ts'
import { divide } from '../../../domain/work/batches.ts'
import type { ObjectClient } from './object-client.ts'
import type { SentFiles } from './sent-files.ts'

interface FileWorld {
  readonly client: Pick<ObjectClient, 'findMissing' | 'storeFiles'>
  readonly sent: Pick<SentFiles, 'has' | 'add'>
  /** Returns `null` if the file is lost. */
  readonly readFile: (path: string) => Uint8Array | null
}

type SentFile = FilesCall['files'][number]

/** Max bytes of a request body, not counting its files. */
const FRAME = 100
/** Max characters of a file in a request body. */
const LARGEST_FILE = LARGEST_PUSH - FRAME

/**
 * Limits the characters that files add to a request body. A larger file is sent alone. The limit is so low that a slow
 * connection, with 20 kB/s, sends a body in the time that the call permits.
 */
const LIMIT: Limit<SentFile> = { most: 1024 * 1024, measure: measureFile }

/**
 * Sends the files that the store lacks. Returns those that could not be sent, because `readFile` returns `null` or
 * because they are too large.
 */
export async function sendFiles(paths: readonly string[], world: FileWorld): Promise<ReadonlySet<string>> {
  const { client, sent } = world
  const unknown = paths.filter((path) => !sent.has(path))
  const lost = new Set<string>()
  for (const part of divide(unknown, MAX_PATHS)) {
    const { missing } = await client.findMissing({ paths: part })
    const found = readFiles(missing, world, lost)
    for (const files of divide(found, MAX_FILES, LIMIT)) await client.storeFiles({ files })
    sent.add(part.filter((path) => !lost.has(path)))
  }
  return lost
}

// Yields the files that can be sent. Adds the others to `lost`.
function* readFiles(
  paths: readonly string[],
  { readFile }: FileWorld,
  lost: Set<string>,
): Generator<SentFile> {
  for (const path of paths) {
    const bytes = readFile(path)
    const file = { path, content: bytes === null ? '' : Buffer.from(bytes).toString('base64') }
    if (bytes === null || measureFile(file) > LARGEST_FILE) lost.add(path)
    else yield file
  }
}

/**
 * Returns the characters that a file adds to a request body: JSON and a comma. The content is base64, which JSON does
 * not escape, so it need not be converted to be measured.
 */
function measureFile({ path, content }: SentFile): number {
  return JSON.stringify({ path, content: '' }).length + content.length + 1
}
