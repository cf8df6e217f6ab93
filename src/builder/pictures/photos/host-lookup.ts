/**
 * Looks up the addresses of hosts, with a cache: the photos of a page are mostly on one host, and with many concurrent
 * lookups the slowest one takes seconds.
 */
import type { LookupAddress } from 'node:dns'

/** Rejects with the error of the system. */
export type LookUp = (hostname: string) => Promise<readonly LookupAddress[]>

/** In milliseconds. Longer than the pictures of one rebuild take; `--watch` runs longer. */
const KEPT_FOR = 30_000

/** `now` returns milliseconds. */
export function createLookUp(now: () => number, ask: LookUp = askSystem): LookUp {
  const known = new Map<string, { readonly since: number; readonly addresses: ReturnType<LookUp> }>()
  return (hostname) => {
    const found = known.get(hostname)
    if (found !== undefined && now() - found.since < KEPT_FOR) return found.addresses
    const addresses = ask(hostname)
    known.set(hostname, { since: now(), addresses })
    return addresses
  }
}

async function askSystem(hostname: string): Promise<readonly LookupAddress[]> {
  const { lookup } = await import('node:dns/promises')
  return lookup(hostname, { all: true })
}
