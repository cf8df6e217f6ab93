/** Addresses that lead into a machine or its own network, or nowhere public. Source: IANA special-purpose registries. */
import { BlockList, isIPv6 } from 'node:net'

const IPV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]

// Global unicast is 2000::/3: whatever is outside of it, or holds an IPv4 address, is none of a public host.
const IPV6: readonly (readonly [string, number])[] = [
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

const lists = { ipv4: createList(IPV4, 'ipv4'), ipv6: createList(IPV6, 'ipv6') }

/** `address` is IPv4 or IPv6. */
export function isPrivateAddress(address: string): boolean {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  return lists[family].check(address, family)
}

// One for each family: a list takes an IPv4 address for the IPv6 address that holds it.
function createList(subnets: readonly (readonly [string, number])[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const [address, prefix] of subnets) list.addSubnet(address, prefix, family)
  return list
}
