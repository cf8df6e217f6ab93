/** Tells addresses of the public internet from all others. */
import ipaddr from 'ipaddr.js'

/** Everything else is unassigned or special. Source: IANA IPv6 address space registry. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an address leads into a machine or its own network, or nowhere public. `address` is IPv4 or IPv6. An IPv6
 * address that holds an IPv4 address counts as private, whichever one it holds: public hosts have none.
 */
export function isPrivateAddress(address: string): boolean {
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return true
  return parsed instanceof ipaddr.IPv6 && !parsed.match(GLOBAL_UNICAST)
}
