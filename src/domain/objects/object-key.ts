/** The keys of objects in the store. */
import { hashText } from './digest.ts'

export const BUCKETS = 256
export const ALL_BUCKETS: readonly number[] = Array.from({ length: BUCKETS }, (_, bucket) => bucket)

const SELLERS = 'sellers/'

/** Returns `sellers/<bucket in hex>/<encoded id>`. */
export async function formatObjectKey(name: string): Promise<string> {
  return formatBucketPrefix(await findBucket(name)) + encodeURIComponent(name)
}

/** Returns the prefix of the keys of all objects in a bucket. */
export function formatBucketPrefix(bucket: number): string {
  return `${SELLERS}${bucket.toString(16).padStart(2, '0')}/`
}

/**
 * Returns the seller's id. Does not check the prefix of the key. Throws a `URIError` if the id is not valid
 * percent-encoding.
 */
export function parseObjectKey(key: string): string {
  return decodeURIComponent(key.slice(formatBucketPrefix(0).length))
}

/**
 * Returns the bucket of a seller, from 0 to `BUCKETS - 1`. The bucket is also the number of the sitemap file that lists
 * the seller.
 */
export async function findBucket(seller: string): Promise<number> {
  return readBucket(await hashText(seller))
}

/** Returns the bucket of the seller whose id has this SHA-256: its first byte. */
export function readBucket([first = 0]: Uint8Array): number {
  return first
}
