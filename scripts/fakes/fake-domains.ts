/**
 * Stores the domains of an account, and answers wrangler's calls of Cloudflare's API for domains. The id of a domain is
 * its host name.
 */
import { ApiError } from './api-error.ts'

interface Origin {
  readonly hostname: string
}

interface Wanted {
  readonly origins: readonly Origin[]
  readonly override_existing_origin: boolean
  readonly override_existing_dns_record: boolean
}

export class FakeDomains {
  /** Domains whose zone is active in this account. */
  readonly zones = new Set<string>()
  /** Host names with DNS records that were not made for a Worker. */
  readonly records = new Set<string>()
  /** Maps a host name to the Worker that answers there. */
  readonly owners = new Map<string, string>()

  has(worker: string): boolean {
    return [...this.owners.values()].includes(worker)
  }

  describe(hostname: string): object {
    const service = this.owners.get(hostname)
    if (service === undefined) throw new ApiError(404, 100116, 'The domain does not exist.')
    return { id: hostname, hostname, service, environment: 'production', previews_enabled: false }
  }

  list(worker: string): readonly object[] {
    return [...this.owners].flatMap(([hostname, owner]) =>
      owner === worker ? [this.describe(hostname)] : [],
    )
  }

  remove(hostname: string): null {
    this.describe(hostname)
    this.owners.delete(hostname)
    return null
  }

  removeAll(worker: string): void {
    for (const [hostname, owner] of this.owners) if (owner === worker) this.owners.delete(hostname)
  }

  /** Returns the changes that `set` would make with these origins, and the host names that have other DNS records. */
  compare(worker: string, origins: readonly Origin[]): object {
    this.#checkZones(origins)
    const list = (isSo: (hostname: string) => boolean): readonly object[] =>
      origins
        .filter(({ hostname }) => isSo(hostname))
        .map(({ hostname }) => ({ id: hostname, hostname, service: worker, environment: 'production' }))
    const isOwned = (hostname: string): boolean => this.owners.has(hostname)
    const isConflicting = (hostname: string): boolean => this.records.has(hostname)
    const left = [...this.owners].filter(
      ([hostname, owner]) => owner === worker && !origins.some((one) => one.hostname === hostname),
    )
    return {
      added: list((hostname) => !isOwned(hostname) && !isConflicting(hostname)),
      removed: left.map(([hostname]) => this.describe(hostname)),
      updated: list(isOwned).map((one) => ({ ...one, modified: true })),
      conflicting: list(isConflicting),
    }
  }

  set(worker: string, wanted: Wanted): object {
    this.#checkZones(wanted.origins)
    for (const { hostname } of wanted.origins) {
      if (this.records.has(hostname) && !wanted.override_existing_dns_record)
        throw new ApiError(
          409,
          100117,
          `Hostname '${hostname}' already has externally managed DNS records (A, CNAME, etc).`,
        )
      if ((this.owners.get(hostname) ?? worker) !== worker && !wanted.override_existing_origin)
        throw new ApiError(409, 100116, `Hostname '${hostname}' is already in use by another Worker.`)
    }
    this.removeAll(worker)
    for (const { hostname } of wanted.origins) {
      this.records.delete(hostname)
      this.owners.set(hostname, worker)
    }
    return wanted.origins.map(({ hostname }) => this.describe(hostname))
  }

  /** Refuses names outside of the account's zones. Source: https://github.com/cloudflare/workers-sdk/issues/2906 */
  #checkZones(origins: readonly Origin[]): void {
    for (const { hostname } of origins)
      if (![...this.zones].some((zone) => hostname === zone || hostname.endsWith(`.${zone}`)))
        throw new ApiError(404, 10083, `workers.api.error.zone_not_found for "${hostname}"`)
  }
}
