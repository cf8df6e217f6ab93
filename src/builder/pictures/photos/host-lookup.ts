/**
 * Looks up the addresses of hosts, with a cache, because the photos of a page are mostly on one host, and the slowest
 * of many concurrent lookups takes seconds.
 */
import type { LookupAddress } from 'node:dns'

/** Rejects with the DNS error of the operating system. */
export type LookUp = (hostname: string) => Promise<readonly LookupAddress[]>

/**
 * Max age of a cached result, in milliseconds. Most rebuilds end sooner, so they look up each host only once. Errors are
 * not cached, because they may be transient.
 */
const KEPT_FOR = 30_000

/** Results by host name, the oldest first. */
export type KnownHosts = Map<string, { readonly since: number; readonly addresses: ReturnType<LookUp> }>

/** `now` returns milliseconds of a clock that is never set back. `ask` looks up a host that is not in the cache. */
export function createLookUp(
  now: () => number,
  ask: LookUp = askSystem,
  known: KnownHosts = new Map(),
): LookUp {
  return (hostname) => {
    forgetOld(known, now() - KEPT_FOR)
    const found = known.get(hostname)
    if (found !== undefined) return found.addresses
    const addresses = ask(hostname)
    known.set(hostname, { since: now(), addresses })
    addresses.catch(() => known.delete(hostname))
    return addresses
  }
}

// Deletes expired results to limit memory: if all subdomains of a host are permitted, their number is unlimited.
function forgetOld(known: KnownHosts, end: number): void {
  for (const [hostname, { since }] of known) {
    if (since > end) return
    known.delete(hostname)
  }
}

async function askSystem(hostname: string): Promise<readonly LookupAddress[]> {
  const { lookup } = await import('node:dns/promises')
  return lookup(hostname, { all: true })
}
