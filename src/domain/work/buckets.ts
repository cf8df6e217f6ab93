/** Buckets divide the sellers by a hash of their ids. A bucket is also the number of the sitemap file of its sellers. */

export const BUCKETS = 256
export const ALL_BUCKETS: readonly number[] = Array.from({ length: BUCKETS }, (_, bucket) => bucket)

/** Returns the bucket of a seller, from 0 to `BUCKETS - 1`. */
export async function findBucket(seller: string): Promise<number> {
  return readBucket(await hashText(seller))
}

/** Returns the bucket of the seller whose id has this SHA-256: its first byte. */
export function readBucket([first = 0]: Uint8Array): number {
  return first
}

async function hashText(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
}
