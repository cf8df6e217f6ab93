/** Hosting by Cloudflare Workers: uploads and whole deployments through wrangler, everything else through the API. */
import { array, number, object, optional, string } from 'valibot'
import type { InferOutput } from 'valibot'
import type { CloudflareApi } from './cloudflare-api.ts'
import { allowMissing, CloudflareError, createCloudflareApi } from './cloudflare-api.ts'
import { listTakeovers } from './domains.ts'
import type { HostedVersion } from './hosted-versions.ts'
import { sortNewest } from './hosted-versions.ts'
import type { Hosting, Upload, Uploaded } from './hosting.ts'
import type { WorkerConfiguration } from './worker-configuration.ts'
import { readWorkerConfiguration } from './worker-configuration.ts'
import type { Wrangler, WranglerOptions, WranglerRun } from './wrangler.ts'
import { createWrangler, WranglerError } from './wrangler.ts'

const MINUTE = 60_000
/** Long enough for a first upload of very many files. In milliseconds, like all times in this file. */
const UPLOAD_TIMEOUT = 30 * MINUTE

const LIVE = object({ version_id: string(), percentage: number() })
const DEPLOYMENT = object({ created_on: string(), versions: array(LIVE) })
const DEPLOYMENTS = object({ deployments: array(DEPLOYMENT) })
const ANNOTATIONS = {
  'workers/tag': optional(string(), ''),
  'workers/message': optional(string(), ''),
  'workers/triggered_by': optional(string(), ''),
}
const VERSION = object({
  id: string(),
  metadata: object({ created_on: string() }),
  annotations: optional(object(ANNOTATIONS)),
})
const VERSIONS = object({ items: array(VERSION) })

/** The API's error code for secrets that have changed since a version was created. */
const SECRETS_CHANGED = 10220

const CHANGED_SECRETS = /secrets have changed: (.*) \[code: \d+\]$/

const FOUND = /Found ([\d,]+) new or modified/
const NONE_FOUND = /No updated asset files to upload/

/**
 * Creates the `Hosting` of the Worker that `wrangler.jsonc` names. `patience` is the max time of each API call, except
 * those of `putLive`, in milliseconds.
 */
export function openCloudflare(options: WranglerOptions & { readonly patience?: number }): Hosting {
  const wrangler = createWrangler(options)
  const worker = readWorkerConfiguration(options.root, options.stage)
  const api = createCloudflareApi({ ...options, worker, wrangler })
  return createCloudflare({ run: wrangler, api, worker })
}

interface CloudflareTools {
  readonly run: Wrangler
  readonly api: CloudflareApi
  readonly worker: Pick<WorkerConfiguration, 'name' | 'observability' | 'domains'>
}

export function createCloudflare({ run, api, worker }: CloudflareTools): Hosting {
  const listArguments = ({ tag, message }: Upload): readonly string[] => ['--tag', tag, '--message', message]
  const listDeployments = async (): Promise<readonly InferOutput<typeof DEPLOYMENT>[]> => {
    const { deployments } = await api
      .get(DEPLOYMENTS, '/deployments')
      .catch(allowMissing({ deployments: [] }))
    return sortNewest(deployments, ({ created_on: time }) => time)
  }
  return {
    upload: async (upload) =>
      readUploaded(
        await run(['versions', 'upload', ...listArguments(upload)], UPLOAD_TIMEOUT),
        'version-upload',
      ),
    // Calls the API instead of `wrangler versions deploy`, because starting wrangler takes longer than these calls.
    putLive: async (version, message, timeout) => {
      await api.send('POST', '/deployments', createDeployment(version, message), timeout)
      if (worker.observability !== null)
        await api.send('PATCH', '/script-settings', { observability: worker.observability }, timeout)
    },
    putBack: (version, message) => putBack(api, createDeployment(version, message)),
    deployWhole: async (upload) =>
      readUploaded(await run(['deploy', ...listArguments(upload)], UPLOAD_TIMEOUT), 'deploy'),
    listTakeovers: () => listTakeovers(api, worker),
    findLive: async () => {
      const [latest] = await listDeployments()
      const [first, ...others] = latest?.versions ?? []
      return others.length === 0 ? (first?.version_id ?? null) : null
    },
    readHosted: async () => {
      const [deployments, { items }] = await Promise.all([
        listDeployments(),
        // Without this parameter the API lists only ten versions.
        api.get(VERSIONS, '/versions?deployable=true').catch(allowMissing({ items: [] })),
      ])
      const listIds = ({ versions }: (typeof deployments)[number]): readonly string[] =>
        versions.map(({ version_id: id }) => id)
      const [latest] = deployments
      return {
        live: latest === undefined ? [] : listIds(latest),
        deployed: [...new Set(deployments.flatMap(listIds))],
        versions: sortNewest(items.map(toHosted), ({ created }) => created),
      }
    },
  }
}

function createDeployment(version: string, message: string): object {
  return {
    strategy: 'percentage',
    versions: [{ version_id: version, percentage: 100 }],
    annotations: { 'workers/message': message },
  }
}

// Makes an earlier version live. Returns the names of the secrets that have changed since its creation, or the API's
// whole message if it does not list them; `null` if none has changed. Does not use wrangler: after a change of secrets
// the API requires `force`, which wrangler sends only in its interactive rollback.
async function putBack(api: CloudflareApi, deployment: object): Promise<string | null> {
  try {
    await api.send('POST', '/deployments', deployment)
    return null
  } catch (error) {
    if (!(error instanceof CloudflareError && error.code === SECRETS_CHANGED)) throw error
    await api.send('POST', '/deployments?force=true', deployment)
    return CHANGED_SECRETS.exec(error.message)?.[1] ?? error.message
  }
}

function readUploaded({ entries, stdout }: WranglerRun, type: string): Uploaded {
  const entry = entries.find((one) => one['type'] === type)
  const version = entry?.['version_id']
  if (typeof version !== 'string')
    throw new WranglerError(
      'wrangler did not report the id of the new version: npx wrangler versions list lists all versions',
    )
  const count = FOUND.exec(stdout)?.[1]?.replaceAll(',', '')
  const files = count === undefined ? (NONE_FOUND.test(stdout) ? 0 : null) : Number(count)
  return { version, files }
}

function toHosted({ id, metadata, annotations }: InferOutput<typeof VERSION>): HostedVersion {
  return {
    version: id,
    tag: annotations?.['workers/tag'] ?? '',
    message: annotations?.['workers/message'] ?? '',
    created: metadata.created_on,
    trigger: annotations?.['workers/triggered_by'] ?? '',
  }
}
