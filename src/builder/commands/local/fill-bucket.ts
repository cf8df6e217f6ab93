/** Fills the local bucket, from which the local edge serves with `HOSTING=bucket`. */
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getPlatformProxy, unstable_readConfig as readConfig } from 'wrangler'
import { inLanes } from '../../../domain/work/batches.ts'
import { ROOT } from '../../files/project-folder.ts'
import { createOutput, listFilesBelow } from '../../state/output.ts'

export const BUCKET_CONFIGURATION = join(ROOT, 'wrangler.bucket.jsonc')

const LANES = 8

interface LocalBucket {
  list(options: { readonly cursor?: string | undefined }): Promise<{
    readonly objects: readonly { readonly key: string; readonly etag: string }[]
    readonly cursor?: string
  }>
  put(key: string, bytes: Uint8Array): Promise<unknown>
  delete(key: string): Promise<void>
}

/** Puts the files of the folder that differ, and removes those that it lacks. The edge may run meanwhile. */
export async function fillBucket(folder: string): Promise<void> {
  const { name, compatibility_date, r2_buckets } = readConfig({ config: BUCKET_CONFIGURATION })
  const temporary = mkdtempSync(join(tmpdir(), 'vitrina-bucket-'))
  const configPath = join(temporary, 'wrangler.json')
  // Only the bucket, because the proxy would warn of Durable Objects, which it does not have.
  writeFileSync(configPath, JSON.stringify({ name, compatibility_date, r2_buckets }))
  const persist = { path: join(ROOT, '.wrangler/state/v3') }
  const proxy = await getPlatformProxy<{ readonly FILES: LocalBucket }>({ configPath, persist, envFiles: [] })
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
    rmSync(temporary, { recursive: true })
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
