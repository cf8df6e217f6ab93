/** The limit of searches for each address. It is wide, because the visitors of a carrier share addresses. */
import type { RateLimit } from 'cloudflare:workers'

/** Returns `isAllowed` of a search. Rejects if the limit fails. */
export function createSearchLimit(limit: RateLimit): (address: string) => Promise<boolean> {
  return async (address) => (await limit.limit({ key: formatNetwork(address) })).success
}

/** Returns an IPv4 address as it is, and the first 64 bits of an IPv6 address, which one visitor has to herself. */
export function formatNetwork(address: string): string {
  if (!address.includes(':')) return address
  const [before = '', after] = address.toLowerCase().split('::')
  const [first, last] = [before, after ?? ''].map((part) => part.split(':').filter((group) => group !== ''))
  const known = [...(first ?? []), ...(last ?? [])].length
  const zeros = after === undefined ? [] : Array.from({ length: Math.max(0, 8 - known) }, () => '0')
  return [...(first ?? []), ...zeros, ...(last ?? [])].slice(0, 4).join(':')
}
