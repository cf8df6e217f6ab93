/**
 * Deploys the probe of the command `conform` to an account, switches the probe to another version, and removes the
 * probe by name.
 */
import { nameQueue, QUEUE_KINDS } from '../../../domain/wire/queues.ts'
import { nameBucket } from '../worker/create-configuration.ts'
import { findQueue, readSubdomain } from './account-facts.ts'
import type { CloudflareApi } from './cloudflare-api.ts'
import { CloudflareError, createCloudflareApi } from './cloudflare-api.ts'
import { createCloudflare } from './cloudflare.ts'
import { createStores } from './create-stores.ts'
import { removeDomains } from './domains.ts'
import type { Hosting } from './hosting.ts'
import type { ProbeOptions } from './probe-files.ts'
import { writeProbe } from './probe-files.ts'
import { readSentence } from '../publish-error.ts'
import { listOrigins } from './worker-configuration.ts'
import type { WranglerOptions } from './wrangler.ts'
import { createWrangler } from './wrangler.ts'

interface ProbeAccount {
  /** Creates what the probe needs, and puts the probe live. Returns the probe's origin. */
  deploy(): Promise<string>
  switchVersion(): Promise<void>
  /**
   * Removes the domain, the Worker, the queues, and the bucket with the objects `keys`. Returns a phrase for each of
   * these that existed. Throws a `CloudflareError` if one could not be removed.
   */
  remove(keys: readonly string[]): Promise<readonly string[]>
}

const TIMEOUT = 60_000
/** The API's error code for an account in which R2 was never opened. */
const NO_R2 = 10042

export function openProbeAccount(
  probe: ProbeOptions,
  { environment, account }: Pick<WranglerOptions, 'environment'> & { readonly account: string | null },
): ProbeAccount {
  const { root, name, domain, hasObjects } = probe
  const worker = {
    name,
    account,
    observability: null,
    domains: domain === null ? [] : [{ hostname: domain }],
  }
  const tool = { root, environment, stage: null }
  const api = createCloudflareApi({ environment, worker, wrangler: createWrangler(tool) })
  const open = (version: number, files = probe): Hosting => {
    const run = createWrangler({ ...tool, configuration: writeProbe(files, version) })
    return createCloudflare({ run, api, worker })
  }
  const upload = { tag: '', message: 'vitrina conform' }
  const deployFirst = async (at: string | null): Promise<Hosting> => {
    const hosting = open(1, { ...probe, domain: at })
    await hosting.deployWhole({ ...upload, tag: 'probe-1' })
    return hosting
  }
  return {
    deploy: async () => {
      const subdomain = await readSubdomain(api)
      if (hasObjects) await createStores(api, name)
      // wrangler takes a domain from another Worker without asking. The API lists conflicts, but only for a Worker that
      // exists, so the first deployment is without the domain.
      const { listTakeovers } = await deployFirst(null)
      const taken = await listTakeovers()
      if (taken.length > 0)
        throw new CloudflareError(`${taken.join('; ')}: choose another domain for the probe.`, null)
      if (domain !== null) await deployFirst(domain)
      return listOrigins(worker, subdomain ?? '')[0]
    },
    switchVersion: async () => {
      const hosting = open(2)
      const { version } = await hosting.upload({ ...upload, tag: 'probe-2' })
      await hosting.putLive(version, upload.message, TIMEOUT)
    },
    remove: (keys) => removeAll(api, probe, keys),
  }
}

/** Removes the bucket last: a bucket must be empty to be removed, and an existing Worker may still write to it. */
async function removeAll(
  api: CloudflareApi,
  { name, hasObjects }: ProbeOptions,
  keys: readonly string[],
): Promise<readonly string[]> {
  const removed: string[] = []
  const problems: string[] = []
  const remove = async (what: string, work: () => Promise<boolean>): Promise<void> => {
    try {
      if (await work()) removed.push(what)
    } catch (error) {
      problems.push(`${what} could not be removed: ${readSentence(error)}`)
    }
  }
  await remove('the domain', async () => (await removeDomains(api, name)).length > 0)
  await remove(`the Worker ${name}`, () => api.remove('?force=true', 'script'))
  if (hasObjects) {
    for (const kind of QUEUE_KINDS)
      await remove(`the queue ${nameQueue(name, kind)}`, () => removeQueue(api, nameQueue(name, kind)))
    await remove(`the bucket ${nameBucket(name)}`, () => removeBucket(api, nameBucket(name), keys))
  }
  if (problems.length === 0) return removed
  throw new CloudflareError(`${problems.join(' ')} npx vitrina conform --clean tries again.`, null)
}

async function removeQueue(api: CloudflareApi, name: string): Promise<boolean> {
  const id = await findQueue(api, name)
  return id !== null && api.remove(`/queues/${id}`, 'account')
}

async function removeBucket(api: CloudflareApi, name: string, keys: readonly string[]): Promise<boolean> {
  const path = `/r2/buckets/${name}`
  try {
    for (const key of keys) await api.remove(`${path}/objects/${encodeURIComponent(key)}`, 'account')
    return await api.remove(path, 'account')
  } catch (error) {
    if (error instanceof CloudflareError && error.code === NO_R2) return false
    throw error
  }
}
