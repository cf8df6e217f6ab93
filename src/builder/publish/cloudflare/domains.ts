/**
 * Finds domains in `wrangler.jsonc` that are already in use, because wrangler takes a domain from another Worker
 * without asking.
 */
import { array, object, string } from 'valibot'
import type { CloudflareApi } from './cloudflare-api.ts'
import type { WorkerConfiguration } from './worker-configuration.ts'

const DOMAIN = object({ id: string(), hostname: string() })
const CHANGES = object({ updated: array(DOMAIN), conflicting: array(DOMAIN) })
const RECORD = object({ service: string() })

/**
 * Returns a phrase for each domain that is the address of another Worker, or has DNS records that Cloudflare would
 * replace.
 */
export async function listTakeovers(
  api: Pick<CloudflareApi, 'get' | 'ask'>,
  { name, domains }: Pick<WorkerConfiguration, 'name' | 'domains'>,
): Promise<readonly string[]> {
  if (domains.length === 0) return []
  const { updated, conflicting } = await api.ask(CHANGES, '/domains/changeset?replace_state=true', domains)
  const owners = await Promise.all(
    updated.map(async ({ id, hostname }) => {
      const { service } = await api.get(RECORD, `/domains/records/${id}`, 'workers')
      return { hostname, service }
    }),
  )
  return [
    ...owners.flatMap(({ hostname, service }) =>
      service === name ? [] : [`${hostname} is the address of the Worker ${service}`],
    ),
    ...conflicting.map(({ hostname }) => `${hostname} has DNS records that Cloudflare would replace`),
  ]
}
