/** Sends files that the site's store lacks. Skips files that the store is known to have. */
import { LARGEST_PUSH } from '../../../domain/wire/call.ts'
import type { FilesCall } from '../../../domain/wire/object-calls.ts'
import { MAX_FILES, MAX_PATHS } from '../../../domain/wire/object-calls.ts'
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
 * Sends the files that the store lacks. Returns those that could not be sent, because `readFile` returns `null` or
 * because they are too large.
 */
export async function sendFiles(paths: readonly string[], world: FileWorld): Promise<ReadonlySet<string>> {
  const { client, sent } = world
  const unknown = paths.filter((path) => !sent.has(path))
  const lost = new Set<string>()
  for (let from = 0; from < unknown.length; from += MAX_PATHS) {
    const part = unknown.slice(from, from + MAX_PATHS)
    const { missing } = await client.findMissing({ paths: part })
    for (const files of createBodies(missing, world, lost)) await client.storeFiles({ files })
    sent.add(part.filter((path) => !lost.has(path)))
  }
  return lost
}

function* createBodies(
  paths: readonly string[],
  { readFile }: FileWorld,
  lost: Set<string>,
): Generator<readonly SentFile[]> {
  let files: SentFile[] = []
  let size = FRAME
  for (const path of paths) {
    const bytes = readFile(path)
    const file = { path, content: bytes === null ? '' : Buffer.from(bytes).toString('base64') }
    const length = JSON.stringify(file).length + 1
    if (bytes === null || FRAME + length > LARGEST_PUSH) {
      lost.add(path)
      continue
    }
    if (files.length === MAX_FILES || size + length > LARGEST_PUSH) {
      yield files
      files = []
      size = FRAME
    }
    files.push(file)
    size += length
  }
  if (files.length > 0) yield files
}
