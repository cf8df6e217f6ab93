/**
 * The store of objects in an R2 bucket. R2 rejects a second write to the same key within a second, so a rejected write
 * is retried.
 */
import type { R2Body, R2Bucket, R2Object } from 'cloudflare:workers'
import { growDelay } from '../../domain/wire/backoff.ts'
import type { Tries } from '../../domain/work/try-again.ts'
import { tryAgain } from '../../domain/work/try-again.ts'
import type { CountBytes, ObjectList, ObjectStore, PutOptions, SeenObject } from './object-store.ts'

const TRIES: Tries = {
  most: 5,
  findPause: (failures) => growDelay({ first: 600, longest: 4_000 }, failures, Math.random()),
  mayPass: (error) => error instanceof Error && TOO_MANY.test(error.message),
}
const MAX_LISTED = 1_000

// Matches R2's error 10058, "Reduce your concurrent request rate for the same object", and HTTP status 429.
// Source: https://developers.cloudflare.com/r2/api/error-codes/
const TOO_MANY = /\(10058\)|\b429\b/

export function createR2Store(bucket: R2Bucket, wait?: Tries['wait']): ObjectStore {
  const tries = wait === undefined ? TRIES : { ...TRIES, wait }
  const put = async (key: string, bytes: Uint8Array, { seen, notes }: PutOptions): Promise<string | null> => {
    const onlyIf = seen === null ? { etagDoesNotMatch: '*' } : { etagMatches: seen }
    const stored = await bucket.put(key, bytes, { onlyIf, customMetadata: notes })
    return stored?.etag ?? null
  }
  return {
    head: async (key) => {
      const found = await bucket.head(key)
      return found === null ? null : createSeen(found)
    },
    get: async (key, count) => {
      const found = await bucket.get(key)
      return found === null ? null : { ...createSeen(found), bytes: await readBytes(found, count) }
    },
    put: (key, bytes, options) => tryAgain(() => put(key, bytes, options), tries),
    list: async (prefix, after): Promise<ObjectList> => {
      const found = await bucket.list({
        prefix,
        limit: MAX_LISTED,
        include: ['customMetadata'],
        ...(after !== null && { startAfter: after }),
      })
      const objects = found.objects.map(createSeen)
      const last = objects.at(-1)?.key
      if (found.truncated && last === undefined)
        throw new Error(`R2 listed no object with the prefix ${prefix}, although it reports more objects`)
      return { objects, next: found.truncated ? (last ?? null) : null }
    },
  }
}

async function readBytes(found: R2Body, count: CountBytes | undefined): Promise<Uint8Array> {
  const { size, body } = found
  let length = size
  try {
    length = count?.(createSeen(found), size) ?? size
  } catch (error) {
    await body.cancel()
    throw error
  }
  return length < size ? readStart(body, length) : new Uint8Array(await found.arrayBuffer())
}

/**
 * Reads the first `length` bytes from the stream. A range request is not possible, because `length` is known only after
 * the response has begun.
 */
async function readStart(body: ReadableStream<Uint8Array>, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length)
  const reader = body.getReader()
  for (let at = 0; at < length;) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`the store sent only ${at} of ${length} bytes`)
    const part = value.subarray(0, length - at)
    bytes.set(part, at)
    at += part.length
  }
  await reader.cancel()
  return bytes
}

function createSeen({ key, etag, customMetadata = {} }: R2Object): SeenObject {
  return { key, tag: etag, notes: customMetadata }
}
