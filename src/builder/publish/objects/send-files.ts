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

/**
 * Limits the characters that files add to a request body: JSON and a comma for each. The content is base64, which JSON
 * does not escape, so it need not be converted to be measured.
 */
const LIMIT: Limit<SentFile> = {
  most: LARGEST_PUSH - FRAME,
  measure: ({ path, content }) => JSON.stringify({ path, content: '' }).length + content.length + 1,
}

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
    if (bytes === null || LIMIT.measure(file) > LIMIT.most) lost.add(path)
    else yield file
  }
}
