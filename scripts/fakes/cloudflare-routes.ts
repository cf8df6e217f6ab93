/** Answers the calls of Cloudflare's API that wrangler makes. Source of the calls: `wrangler-dist/cli.js`. */
import type { IncomingHttpHeaders } from 'node:http'
import { ApiError, createNotFound } from './api-error.ts'
import type { AssetManifest, AssetStore } from './asset-store.ts'
import type { FakeWorker } from './fake-worker.ts'
import { readForm, readUpload } from './read-upload.ts'
import type { FakeVersion } from './worker-version.ts'
import { describeVersion } from './worker-version.ts'

/** A step of a publish that can be made to fail. */
export type FailingStep = 'session' | 'files' | 'version' | 'live' | 'secret'

interface CloudflareCall {
  /**
   * The method, and the path below the account's `/workers`, such as `GET /subdomain`. A path that is not below it is
   * complete.
   */
  readonly route: string
  readonly parameters: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

interface Account {
  readonly assets: AssetStore
  readonly subdomain: string | null
  find(name: string): FakeWorker
  /** Gives visitors the live version. */
  showLive(): void
  /** Runs the work of a step. Throws if the step was made to fail. */
  perform<Result>(step: FailingStep, work: () => Promise<Result>): Promise<Result>
}

type Route = (
  call: CloudflareCall,
  worker: FakeWorker,
  account: Account,
  rest: string,
) => Promise<unknown> | unknown

/** Max versions in the list of deployable versions, which is not divided into pages. */
const DEPLOYABLE = 100

/**
 * Routes below the path of a Worker. A key that ends with `/` also matches longer paths; `rest` is the segment that
 * follows the key.
 */
const ROUTES: Readonly<Record<string, Route>> = {
  'GET secrets': (_, worker) => listSecrets(worker),
  'PUT secrets': (call, worker, account) => {
    const { name, text } = readJson(call) as { name: string; text: string }
    return changeSecret(worker, account, name, text)
  },
  'DELETE secrets/': (_, worker, account, rest) =>
    changeSecret(worker, account, decodeURIComponent(rest), null),
  'GET deployments': (_, worker) => ({ deployments: worker.listDeployments() }),
  'POST deployments': (call, worker, account) => account.perform('live', () => deploy(call, worker, account)),
  'GET versions': ({ parameters }, worker) => {
    if (parameters.get('deployable') === 'true')
      return { items: worker.listVersions(1, DEPLOYABLE).map(describeVersion) }
    const [page, count] = ['page', 'per_page'].map((name) => Number(parameters.get(name) ?? 0))
    return { items: worker.listVersions(page || 1, count ?? 0).map(describeVersion) }
  },
  'GET versions/': (_, worker, _account, rest) => {
    const version = worker.versions.find(({ id }) => id === rest)
    if (version === undefined)
      throw new ApiError(404, 10092, 'The requested Worker version could not be found.')
    return describeVersion(version)
  },
  'POST versions': (call, worker, account) =>
    account.perform('version', async () => {
      const version = await upload(call, worker, account)
      return { ...describeVersion(version), startup_time_ms: 1, metadata: { has_preview: false } }
    }),
  'POST assets-upload-session': (call, _, { assets, perform }) =>
    perform('session', async () =>
      assets.openSession((readJson(call) as { manifest: AssetManifest }).manifest),
    ),
  'GET subdomain': (_, { isExposed }) => ({ enabled: isExposed, previews_enabled: false }),
  'POST subdomain': (call, worker) => {
    worker.isExposed = (readJson(call) as { enabled: boolean }).enabled
    return { enabled: worker.isExposed, previews_enabled: false }
  },
  'PUT schedules': (call) => ({ schedules: readJson(call) }),
  'PATCH script-settings': () => ({}),
}

/** Returns the field `result` of Cloudflare's answer. */
export async function answerCloudflare(call: CloudflareCall, account: Account): Promise<unknown> {
  const { route } = call
  if (route === 'GET /subdomain') return { subdomain: account.subdomain }
  // wrangler verifies its token with this call after the API has refused another call.
  if (route.endsWith('/tokens/verify')) return { id: 'token', status: 'active' }
  if (route === 'POST /assets/upload') return keepFiles(call, account)
  const [, method, kind, name = '', path = ''] =
    /^(\w+) \/(services|scripts|workers)\/([^/]+)\/?(.*)$/.exec(route) ?? []
  const worker = account.find(name)
  if (`${method} ${kind} ${path}` === 'PUT scripts ') return create(call, worker, account)
  // A Worker without a version does not exist yet. Only the upload session for its first files may be opened before it
  // is created.
  if (worker.versions.length === 0 && path !== 'assets-upload-session') throw createNotFound()
  if (`${method} ${kind} ${path}` === 'GET services ') return describeService(worker)
  if (`${method} ${kind} ${path}` === 'GET workers ')
    return { subdomain: { enabled: worker.isExposed, previews_enabled: false } }
  if (`${method} ${kind} ${path}` === 'PATCH workers versions/latest') return changeLatest(call, worker)
  const [start = '', rest = ''] = path.split(/(?<=\/)/)
  const found = ROUTES[`${method} ${path}`] ?? ROUTES[`${method} ${start}`]
  if (kind !== 'scripts' || found === undefined)
    throw new ApiError(404, 7003, `the stand-in for Cloudflare has no route ${route}`)
  return found(call, worker, account, rest)
}

/** Creates or replaces the Worker with a version that is live immediately. */
async function create(call: CloudflareCall, worker: FakeWorker, account: Account): Promise<object> {
  return account.perform('version', async () => {
    const { id } = await upload(call, worker, account)
    worker.putLive(id, '', true)
    account.showLive()
    return {
      id,
      startup_time_ms: 1,
      tag: 'worker',
      deployment_id: id.replaceAll('-', ''),
      pipeline_hash: '',
      mutable_pipeline_id: '',
    }
  })
}

async function upload(
  { headers, body }: CloudflareCall,
  worker: FakeWorker,
  { assets }: Account,
): Promise<FakeVersion> {
  const { session, migration, ...uploaded } = await readUpload(String(headers['content-type']), body)
  worker.migrate(migration, uploaded.code)
  return worker.upload({ ...uploaded, files: assets.findFiles(session) })
}

async function keepFiles({ headers, body }: CloudflareCall, { assets, perform }: Account): Promise<object> {
  return perform('files', async () => {
    const form = await readForm(String(headers['content-type']), body)
    return assets.keepUpload(form, String(headers.authorization).replace('Bearer ', ''))
  })
}

async function deploy(call: CloudflareCall, worker: FakeWorker, { showLive }: Account): Promise<object> {
  const { versions, annotations } = readJson(call) as {
    versions: readonly { version_id: string }[]
    annotations?: { 'workers/message'?: string }
  }
  const isForced = call.parameters.get('force') === 'true'
  worker.putLive(versions[0]?.version_id ?? '', annotations?.['workers/message'] ?? '', isForced)
  showLive()
  return { id: worker.deployments.at(-1)?.id }
}

async function changeSecret(
  worker: FakeWorker,
  { perform, showLive }: Account,
  name: string,
  text: string | null,
): Promise<object> {
  return perform('secret', async () => {
    worker.changeSecret(name, text)
    showLive()
    return { name, type: 'secret_text' }
  })
}

function changeLatest(call: CloudflareCall, worker: FakeWorker): object {
  const { env, annotations } = readJson(call) as {
    env: Readonly<Record<string, { text: string } | null>>
    annotations: { 'workers/message'?: string; 'workers/tag'?: string }
  }
  const changes = Object.entries(env).map(([name, secret]) => [name, secret?.text ?? null])
  const { 'workers/tag': tag = '', 'workers/message': message = '' } = annotations
  return describeVersion(worker.changeLatest(Object.fromEntries(changes), tag, message))
}

function listSecrets({ live }: FakeWorker): readonly object[] {
  return [...(live?.secrets ?? [])].flatMap(([name, { text }]) =>
    text === null ? [] : [{ name, type: 'secret_text' }],
  )
}

function describeService({ migration }: FakeWorker): object {
  const script = { tag: 'worker', tags: [], last_deployed_from: 'wrangler' }
  return {
    default_environment: {
      environment: 'production',
      script: { ...script, ...(migration !== null && { migration_tag: migration }) },
    },
  }
}

function readJson({ body }: CloudflareCall): unknown {
  return JSON.parse(body.toString())
}
