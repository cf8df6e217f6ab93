/**
 * Limits the searches of each network address. The limit is high, because the visitors of a mobile carrier share
 * addresses.
 */
import type { RateLimit } from 'cloudflare:workers'

/** Returns a function that decides if an address may search now. It rejects if the limit fails. */
export function createSearchLimit(limit: RateLimit): (address: string) => Promise<boolean> {
  return async (address) => (await limit.limit({ key: formatNetwork(address) })).success
}

/**
 * Returns an IPv4 address as it is. Returns the first 64 bits of an IPv6 address: one visitor has all addresses with
 * these.
 */
export function formatNetwork(address: string): string {
  if (!address.includes(':')) return address
  const [start = [], end = null] = address.toLowerCase().split('::').map(listGroups)
  const left = Math.max(0, 8 - start.length - (end?.length ?? 0))
  // `::` replaces groups of zeros, which are restored here.
  const zeros = end === null ? [] : Array.from({ length: left }, () => '0')
  return [...start, ...zeros, ...(end ?? [])].slice(0, 4).join(':')
}

function listGroups(part: string): readonly string[] {
  return part === '' ? [] : part.split(':')
}
