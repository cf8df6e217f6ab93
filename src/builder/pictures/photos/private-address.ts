/** Distinguishes public IP addresses from all others. */
import ipaddr from 'ipaddr.js'

/** The range of public IPv6 addresses; all others are unassigned or special. Source: IANA IPv6 address registry. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Returns whether an IPv4 or IPv6 address is not public: loopback, private or reserved. An IPv6 address with an
 * embedded IPv4 address always counts as private, because public hosts do not use such addresses. A string that is not
 * an IP address counts as private, too.
 */
export function isPrivateAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return true
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return true
  return parsed instanceof ipaddr.IPv6 && !parsed.match(GLOBAL_UNICAST)
}
