/**
 * Limits the searches of each network address. The limit is high, because many visitors of a mobile carrier share an
 * address.
 */
import type { RateLimit } from 'cloudflare:workers'

/**
 * Creates the function that checks whether a network address may search now. The function rejects if the rate limit
 * fails.
 */
export function createSearchLimit(limit: RateLimit): (address: string) => Promise<boolean> {
  return async (address) => (await limit.limit({ key: formatNetwork(address) })).success
}

/**
 * Returns an IPv4 address unchanged, and the first 64 bits of an IPv6 address, because one visitor may have all
 * addresses with the same first 64 bits.
 */
export function formatNetwork(address: string): string {
  if (!address.includes(':')) return address
  const [start = [], end = null] = address.toLowerCase().split('::').map(listGroups)
  const left = Math.max(0, 8 - start.length - (end?.length ?? 0))
  // Restores the groups of zeros that `::` replaces.
  const zeros = end === null ? [] : Array.from({ length: left }, () => '0')
  return [...start, ...zeros, ...(end ?? [])].slice(0, 4).join(':')
}

function listGroups(part: string): readonly string[] {
  return part === '' ? [] : part.split(':')
}
