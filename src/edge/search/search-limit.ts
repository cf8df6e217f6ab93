/** Limits the searches of each network address, which many visitors of a mobile carrier may share. */
import type { RateLimit } from 'cloudflare:workers'

/** Returns a function that tells whether an address may search now. It rejects if the rate limit fails. */
export function createSearchLimit(limit: RateLimit): (address: string) => Promise<boolean> {
  return async (address) => (await limit.limit({ key: formatNetwork(address) })).success
}

/** Returns only the first 64 bits of an IPv6 address, because one visitor may have all that begin with them. */
function formatNetwork(address: string): string {
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
