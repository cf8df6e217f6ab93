/**
 * Looks up the addresses of hosts, with a cache: the photos of a page are mostly on one host, and with many concurrent
 * lookups the slowest one takes seconds.
 */
import type { LookupAddress } from 'node:dns'

/** Rejects with the error of the system. */
export type LookUp = (hostname: string) => Promise<readonly LookupAddress[]>

/** How long a result is reused, in milliseconds: longer than a rebuild needs, so that only `--watch` asks again. */
const KEPT_FOR = 30_000

/** Results by host name, the oldest first. */
export type KnownHosts = Map<string, { readonly since: number; readonly addresses: ReturnType<LookUp> }>

/** `now` returns milliseconds. */
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
    return addresses
  }
}

// Limits memory: a host may be permitted with all its subdomains, whose number is unlimited.
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
