/**
 * Finds the addresses of hosts, each host once for a while: the photos of a page mostly stand on one, and of many
 * questions at once the slowest answer takes seconds.
 */
import type { LookupAddress } from 'node:dns'

/** Throws what the system says. */
export type LookUp = (hostname: string) => Promise<readonly LookupAddress[]>

/** In milliseconds. A rebuild is over before; a watch is not. */
const KEPT_FOR = 30_000

/** `now` in milliseconds. */
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
