/** The part of Cloudflare's API that the deploy tool uses, on a local port, and the site that it serves. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { FakeVersion } from './cloudflare-formats.ts'
import { createToken, describeVersion } from './cloudflare-formats.ts'

type Step = 'session' | 'files' | 'version' | 'live'

interface Manifest {
  readonly [path: string]: { readonly hash: string; readonly size: number }
}

const NAME = 'vitrina'
const ACCOUNT = 'account'
const TOKEN = 'cloudflare-token-canary'
const SCRIPT = { tag: 'worker', migration_tag: 'v1', last_deployed_from: 'wrangler' }
const NOT_FOUND = { status: 404, errors: [{ code: 10007, message: 'This Worker does not exist' }] }

export class FakeCloudflare {
  /** Content by hash. */
  readonly #contents = new Map<string, Buffer>()
  readonly #sessions = new Map<string, Map<string, string>>()
  readonly versions: FakeVersion[] = []
  /** Ids of versions, the first deployed first. */
  readonly deployed: string[] = []
  /** Paths of the uploaded files since the list was last cleared. */
  readonly uploaded: string[] = []
  exists = true
  #failing: { readonly step: Step; readonly isDone: boolean } | null = null
  #api: Server | null = null
  #site: Server | null = null
  #names = new Map<string, string>()

  async start(): Promise<void> {
    this.#api = createServer((request, response) => void this.#answer(request, response))
    this.#site = createServer((request, response) => this.#serve(request, response))
    for (const server of [this.#api, this.#site]) await once(server.listen(0, '127.0.0.1'), 'listening')
  }

  stop(): void {
    for (const server of [this.#api, this.#site]) {
      server?.close()
      server?.closeAllConnections()
    }
  }

  get site(): string {
    return formatOrigin(this.#site)
  }

  /** Environment that points the deploy tool to this server and to no other. */
  get environment(): Record<string, string> {
    return {
      CLOUDFLARE_API_BASE_URL: `${formatOrigin(this.#api)}/client/v4`,
      CLOUDFLARE_API_TOKEN: TOKEN,
      CLOUDFLARE_ACCOUNT_ID: ACCOUNT,
    }
  }

  get live(): FakeVersion | undefined {
    return this.versions.find(({ id }) => id === this.deployed.at(-1))
  }

  /** Makes a step fail until `work` is called. With `isDone` it takes effect and only the answer is lost. */
  fail(step: Step, isDone = false): void {
    this.#failing = { step, isDone }
  }

  work(): void {
    this.#failing = null
  }

  read(version: FakeVersion, path: string): string | undefined {
    return this.#contents.get(version.files.get(path) ?? '')?.toString()
  }

  /** Adds a version without an upload and puts it live. Returns its id. */
  seed(files: Readonly<Record<string, string>>, tag: string): string {
    const entries = Object.entries(files).map(([path, text]) => {
      this.#contents.set(`hash of ${text}`, Buffer.from(text))
      return [path, `hash of ${text}`] as const
    })
    const version = this.#addVersion(new Map(entries), { 'workers/tag': tag })
    this.deployed.push(version)
    return version
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '', 'http://api')
    const route = pathname.replace(`/client/v4/accounts/${ACCOUNT}/workers`, '')
    const body = await buffer(request)
    const {
      status = 200,
      errors = [],
      result = null,
    } = this.#route(`${request.method} ${route}`, request, body)
    // `retry-after: 0` makes the tool retry failed uploads without delay.
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' })
    response.end(JSON.stringify({ success: errors.length === 0, errors, messages: [], result }))
  }

  #route(
    call: string,
    { headers }: IncomingMessage,
    body: Buffer,
  ): { status?: number; errors?: readonly object[]; result?: unknown } {
    if (call === `GET /services/${NAME}`)
      return this.exists ? { result: { default_environment: { script: SCRIPT } } } : NOT_FOUND
    if (call === `GET /scripts/${NAME}/secrets`) return { result: [] }
    if (call === 'GET /subdomain') return { result: { subdomain: 'example' } }
    if (!this.exists && call.startsWith(`GET /scripts/${NAME}/`)) return NOT_FOUND
    if (call === `GET /scripts/${NAME}/deployments`)
      return { result: { deployments: this.#listDeployments() } }
    if (call === `GET /scripts/${NAME}/versions`)
      return { result: { items: this.versions.map(describeVersion) } }
    const version = this.versions.find(({ id }) => call === `GET /scripts/${NAME}/versions/${id}`)
    if (version !== undefined) return { result: describeVersion(version) }
    if (call === `POST /scripts/${NAME}/assets-upload-session`)
      return this.#perform('session', () => this.#openSession(JSON.parse(body.toString()).manifest))
    if (call === 'POST /assets/upload')
      return this.#perform('files', () => this.#keepFiles(String(headers.authorization), body))
    if (call === `POST /scripts/${NAME}/versions`)
      return this.#perform('version', () => this.#createVersion(String(headers['content-type']), body))
    if (call === `PUT /scripts/${NAME}`)
      return this.#perform('version', () => this.#createWorker(String(headers['content-type']), body))
    if (call === `POST /scripts/${NAME}/subdomain`)
      return { result: { enabled: true, previews_enabled: false } }
    if (call === `GET /scripts/${NAME}/subdomain`)
      return { result: { enabled: true, previews_enabled: false } }
    if (call === `GET /workers/${NAME}`)
      return { result: { subdomain: { enabled: true, previews_enabled: false } } }
    if (call === `PUT /scripts/${NAME}/schedules`)
      return { result: { schedules: JSON.parse(body.toString()) } }
    if (call === `POST /scripts/${NAME}/deployments`)
      return this.#perform('live', () => this.#putLive(JSON.parse(body.toString())))
    return { status: 404, errors: [{ code: 7003, message: `the fake does not know ${call}` }] }
  }

  #perform(
    step: Step,
    work: () => unknown,
  ): { status?: number; errors?: readonly object[]; result?: unknown } {
    const isFailing = this.#failing?.step === step
    const result = isFailing && this.#failing?.isDone !== true ? null : work()
    return isFailing ? { status: 400, errors: [{ code: 10001, message: `${step} fails` }] } : { result }
  }

  #openSession(manifest: Manifest): object {
    const files = new Map(Object.entries(manifest).map(([path, { hash }]) => [path, hash]))
    for (const [path, hash] of files) this.#names.set(hash, path)
    const token = createToken()
    this.#sessions.set(token, files)
    const missing = [...new Set(files.values())].filter((hash) => !this.#contents.has(hash))
    return { jwt: token, buckets: missing.length === 0 ? [] : [missing] }
  }

  #keepFiles(authorization: string, body: Buffer): object {
    // Each part of the form is a base64 file named by its hash.
    for (const [, hash = '', content = ''] of body
      .toString('latin1')
      .matchAll(/name="([0-9a-f]+)"; filename[^\r]*\r\n(?:[^\r]+\r\n)*\r\n([A-Za-z0-9+/=]*)\r\n/g)) {
      this.#contents.set(hash, Buffer.from(content, 'base64'))
      this.uploaded.push(this.#names.get(hash) ?? hash)
    }
    return { jwt: authorization.replace('Bearer ', '') }
  }

  #createVersion(type: string, body: Buffer): object {
    const boundary = /boundary=(.*)$/.exec(type)?.[1] ?? ''
    const part =
      body
        .toString()
        .split(`--${boundary}`)
        .find((text) => text.includes('name="metadata"')) ?? ''
    const metadata = JSON.parse(part.slice(part.indexOf('\r\n\r\n')).trim())
    const files = this.#sessions.get(metadata.assets.jwt) ?? new Map()
    const id = this.#addVersion(files, metadata.annotations)
    return { id, startup_time_ms: 1, metadata: { has_preview: false } }
  }

  /** Creates the Worker with its first version, which is live immediately. */
  #createWorker(type: string, body: Buffer): object {
    this.exists = true
    const version = this.#createVersion(type, body) as { readonly id: string }
    this.deployed.push(version.id)
    return {
      ...version,
      tag: SCRIPT.tag,
      deployment_id: version.id.replaceAll('-', ''),
      pipeline_hash: '',
      mutable_pipeline_id: '',
    }
  }

  #addVersion(files: ReadonlyMap<string, string>, annotations: Record<string, string>): string {
    const { 'workers/tag': tag = '', 'workers/message': message = '' } = annotations
    const created = new Date(Date.UTC(2026, 0, 1) + 60_000 * this.versions.length).toISOString()
    const version = { id: randomUUID(), tag, message, created, files }
    this.versions.push(version)
    return version.id
  }

  #putLive({ versions: [version] }: { versions: readonly { version_id: string }[] }): object {
    this.deployed.push(version?.version_id ?? '')
    return { id: randomUUID() }
  }

  #listDeployments(): readonly object[] {
    return this.deployed
      .map((version, index) => ({
        id: `deployment-${index}`,
        created_on: new Date(Date.UTC(2026, 1, 1) + 60_000 * index).toISOString(),
        versions: [{ version_id: version, percentage: 100 }],
        annotations: {},
      }))
      .toReversed()
      .slice(0, 10)
  }

  #serve({ url = '/' }: IncomingMessage, response: ServerResponse): void {
    const path = decodeURIComponent(new URL(url, 'http://site').pathname)
    const names = path === '/' ? ['/index.html'] : [path, `${path}.html`]
    const hash = names.map((name) => this.live?.files.get(name)).find((found) => found !== undefined)
    const content = this.#contents.get(hash ?? '')
    response.writeHead(content === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(content)
  }
}

function formatOrigin(server: Server | null): string {
  const address = server?.address()
  return typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : ''
}
