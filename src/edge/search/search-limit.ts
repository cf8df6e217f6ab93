/** The limit of searches for each address. It is wide, because the visitors of a carrier share addresses. */
import type { RateLimit } from 'cloudflare:workers'

/** Returns `isAllowed` of a search. Rejects if the limit fails. */
export function createSearchLimit(limit: RateLimit): (address: string) => Promise<boolean> {
  return async (address) => (await limit.limit({ key: formatNetwork(address) })).success
}

/** Returns an IPv4 address as it is, and the first 64 bits of an IPv6 address, which one visitor has to herself. */
export function formatNetwork(address: string): string {
  if (!address.includes(':')) return address
  const [start = [], end = null] = address.toLowerCase().split('::').map(listGroups)
  const left = Math.max(0, 8 - start.length - (end?.length ?? 0))
  // Two colons replace the omitted groups.
  const zeros = end === null ? [] : Array.from({ length: left }, () => '0')
  return [...start, ...zeros, ...(end ?? [])].slice(0, 4).join(':')
}

function listGroups(part: string): readonly string[] {
  return part === '' ? [] : part.split(':')
}
