/** Reads whether a Cloudflare account has what a site needs. Changes nothing. */
import { array, object, optional, string, unknown } from 'valibot'
import { nameQueue, QUEUE_KINDS } from '../../../domain/wire/queues.ts'
import { nameBucket } from '../worker/create-configuration.ts'
import type { CloudflareApi } from './cloudflare-api.ts'
import { allowMissing, createCloudflareApi } from './cloudflare-api.ts'
import type { WorkerConfiguration } from './worker-configuration.ts'
import type { WranglerOptions } from './wrangler.ts'
import { createWrangler } from './wrangler.ts'

export interface AccountFacts {
  /** The account's name at workers.dev; `null` if _Workers & Pages_ was never opened in the dashboard. */
  readonly subdomain: string | null
  /** Names of the Worker's secrets; `null` if the Worker does not exist. */
  readonly secrets: readonly string[] | null
  /**
   * A phrase for a missing bucket, and for each queue that is missing or has no consumer. Empty in lane `assets`, which
   * needs neither.
   */
  readonly missing: readonly string[]
}

interface AccountOptions extends WranglerOptions {
  readonly worker: WorkerConfiguration
  /** Max time of each API call, in milliseconds. */
  readonly patience: number
  /** Whether the site needs a bucket and queues. */
  readonly hasObjects: boolean
}

const SUBDOMAIN = object({ subdomain: string() })
const NAMED = array(object({ name: string() }))
const QUEUES = array(
  object({ queue_id: string(), queue_name: string(), consumers: optional(array(unknown()), []) }),
)

/** Throws a `CloudflareError` if an API call fails, or a `WranglerError` if wrangler cannot provide credentials. */
export async function readAccount(options: AccountOptions): Promise<AccountFacts> {
  const api = createCloudflareApi({ ...options, wrangler: createWrangler(options) })
  const [subdomain, secrets, missing] = await Promise.all([
    readSubdomain(api),
    api.get(NAMED, '/secrets').catch(allowMissing(null)),
    options.hasObjects ? listMissing(api, options.worker.name) : [],
  ])
  return {
    subdomain,
    secrets: secrets?.map(({ name }) => name) ?? null,
    missing,
  }
}

/** Returns the account's name at workers.dev; `null` if _Workers & Pages_ was never opened in the dashboard. */
async function readSubdomain(api: CloudflareApi): Promise<string | null> {
  const found = await api.get(SUBDOMAIN, '/subdomain', 'workers').catch(allowMissing(null))
  return found?.subdomain ?? null
}

async function listMissing(api: CloudflareApi, worker: string): Promise<readonly string[]> {
  const bucket = nameBucket(worker)
  const names = QUEUE_KINDS.map((kind) => nameQueue(worker, kind))
  const [found, ...queues] = await Promise.all([
    api.get(unknown(), `/r2/buckets/${bucket}`, 'account').catch(allowMissing(null)),
    ...names.map((name) => api.get(QUEUES, `/queues?name=${name}`, 'account')),
  ])
  const consumed = new Set(
    queues.flat().flatMap(({ queue_name: name, consumers }) => (consumers.length > 0 ? [name] : [])),
  )
  return [
    ...(found === null ? [`the bucket ${bucket}`] : []),
    ...names.filter((name) => !consumed.has(name)).map((name) => `the queue ${name} or its consumer`),
  ]
}
