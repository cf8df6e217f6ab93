/** An incremental digest of a set of files: the sum of their hashes modulo 2^256. Files can be added and removed. */
import { hashBytes } from '../manifest.ts'

export const EMPTY_DIGEST = '0'.repeat(64)

const MODULUS = 1n << 256n

export interface DigestPart {
  readonly path: string
  readonly digest: string
}

/** Returns the digest after adding `added` and removing `taken`. The order of the parts does not matter. */
export function updateDigest(
  digest: string,
  added: readonly DigestPart[],
  taken: readonly DigestPart[],
): string {
  let sum = BigInt(`0x${digest}`)
  for (const part of added) sum += hashPart(part)
  for (const part of taken) sum += MODULUS - hashPart(part)
  return (sum % MODULUS).toString(16).padStart(64, '0')
}

function hashPart({ path, digest }: DigestPart): bigint {
  return BigInt(`0x${hashBytes(`${digest} ${path}`)}`)
}
