/** Serves a site from a local bucket, as `HOSTING=bucket` serves it from R2. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inLanes } from '../../../domain/work/batches.ts'
import { ROOT } from '../../files/project-folder.ts'
import { createOutput, listFilesBelow } from '../../state/output.ts'
import type { Edge } from './local-edge.ts'
import { loadWrangler, startEdge } from './local-edge.ts'

export const BUCKET_CONFIGURATION = join(ROOT, 'wrangler.bucket.jsonc')

/** The bucket alone: the runtime would warn of each class of the Worker. */
const FILES_CONFIGURATION = join(ROOT, 'src/builder/commands/local/files.jsonc')
const STORED = join(ROOT, '.wrangler/state/v3')

const LANES = 8

interface LocalBucket {
  list(options: { readonly cursor?: string | undefined }): Promise<{
    readonly objects: readonly { readonly key: string; readonly etag: string }[]
    readonly cursor?: string
  }>
  put(key: string, bytes: Uint8Array): Promise<unknown>
  delete(key: string): Promise<void>
}

export async function startBucketEdge(folder: string, port: number): Promise<Edge> {
  await fillBucket(folder)
  const edge = await startEdge({ folder: null, configuration: BUCKET_CONFIGURATION, port })
  return { ...edge, renew: () => fillBucket(folder) }
}

/** Puts the files of the folder that differ, and removes those that it lacks. The edge may run meanwhile. */
async function fillBucket(folder: string): Promise<void> {
  const { getPlatformProxy } = await loadWrangler()
  const proxy = await getPlatformProxy<{ readonly FILES: LocalBucket }>({
    configPath: FILES_CONFIGURATION,
    persist: { path: STORED },
  })
  try {
    const bucket = proxy.env.FILES
    const there = await listHashes(bucket)
    const paths = listFilesBelow(createOutput(folder), '')
    await inLanes(paths, LANES, async (path) => {
      const bytes = readFileSync(join(folder, path))
      if (there.get(path) !== createHash('md5').update(bytes).digest('hex')) await bucket.put(path, bytes)
      there.delete(path)
    })
    await inLanes([...there.keys()], LANES, (path) => bucket.delete(path))
  } finally {
    await proxy.dispose()
  }
}

/** Returns the MD5 of each file, by key. */
async function listHashes(bucket: LocalBucket): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  let cursor: string | undefined
  do {
    const page = await bucket.list({ cursor })
    for (const { key, etag } of page.objects) found.set(key, etag)
    cursor = page.cursor
  } while (cursor !== undefined)
  return found
}
