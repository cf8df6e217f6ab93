/** The keys of objects in the store. */
import { hashText } from './digest.ts'
import type { ObjectName } from './object-data.ts'

export const BUCKETS = 256
export const ALL_BUCKETS: readonly number[] = Array.from({ length: BUCKETS }, (_, bucket) => bucket)

const SELLERS = 'sellers/'

/** `sellers/<bucket in hex>/<encoded id>`. */
export async function formatObjectKey(name: ObjectName): Promise<string> {
  return formatBucketPrefix(await findBucket(name)) + encodeURIComponent(name)
}

/** The keys of all sellers of a bucket begin with this. */
export function formatBucketPrefix(bucket: number): string {
  return `${SELLERS}${bucket.toString(16).padStart(2, '0')}/`
}

/** Throws a `URIError` for a malformed key. */
export function parseObjectKey(key: string): ObjectName {
  return decodeURIComponent(key.slice(formatBucketPrefix(0).length))
}

/** The number, below `BUCKETS`, of the sitemap file that lists a seller. */
export async function findBucket(seller: string): Promise<number> {
  return readBucket(await hashText(seller))
}

/** Returns the bucket of the seller whose id has this SHA-256: its first byte. */
export function readBucket([first = 0]: Uint8Array): number {
  return first
}
