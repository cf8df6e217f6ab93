/** Plays Cloudflare on local ports: the part of its API that wrangler uses, and the sites of the Workers. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { ApiError } from './api-error.ts'
import { FakeAccount } from './fake-account.ts'
import { AssetStore } from './asset-store.ts'
import type { FailingStep } from './cloudflare-routes.ts'
import { answerCloudflare } from './cloudflare-routes.ts'
import type { VersionServer } from './edge-site.ts'
import { EdgeSite } from './edge-site.ts'
import { FakeDomains } from './fake-domains.ts'
import { FakeStores } from './fake-stores.ts'
import { FakeWorker } from './fake-worker.ts'
import { createFileServer } from './file-server.ts'
import { LocalServer } from '../local/local-server.ts'
import type { FakeVersion } from './worker-version.ts'

interface FakeOptions {
  /** Returns the server for the Worker with this name. By default, its files are served without running its code. */
  readonly serve?: (name: string, assets: AssetStore, stores: FakeStores) => VersionServer
}

interface Failure {
  readonly step: FailingStep
  readonly isDone: boolean
}

const NAME = 'vitrina'
/** Tag of the last migration in `wrangler.jsonc`, which a Worker added by `seed` has applied. */
const LAST_MIGRATION = 'v3'
const ACCOUNT = 'account'
/** Names for `FakeAccount.use`: actions in the dashboard that are needed before a first publish. */
export const PUBLISHED = ['Workers & Pages', 'Edit Cloudflare Workers']
const TOKEN = 'cloudflare-token-canary'
const ACCOUNT_ROOT = `/client/v4/accounts/${ACCOUNT}`
const ROOT = `${ACCOUNT_ROOT}/workers`

export class FakeCloudflare {
  /** A new account: no service of Cloudflare (Workers, R2) is enabled yet, and its token has no permissions. */
  readonly account = new FakeAccount(TOKEN)
  readonly assets = new AssetStore()
  readonly stores = new FakeStores()
  readonly domains = new FakeDomains()
  readonly #serve: NonNullable<FakeOptions['serve']>
  readonly #workers = new Map<string, FakeWorker>()
  readonly #sites = new Map<string, EdgeSite>()
  readonly #api = new LocalServer((request, response) => this.#answer(request, response))
  #failing: Failure | null = null
  /** Delay of each answer of the API, in milliseconds; with `Infinity` it never answers. */
  delay = 0
  /** Number of calls of the API so far. */
  calls = 0

  constructor({ serve = (_, assets) => createFileServer(assets) }: FakeOptions = {}) {
    this.#serve = serve
  }

  async start(): Promise<void> {
    await this.#api.start()
    await this.openSite(NAME)
  }

  /** Opens the address of a Worker. The address answers with 404 until the Worker is deployed. */
  async openSite(name: string): Promise<EdgeSite> {
    const site = new EdgeSite(this.find(name), this.#serve(name, this.assets, this.stores), this.domains)
    this.#sites.set(name, site)
    await site.start()
    return site
  }

  findSite(name: string): EdgeSite {
    const site = this.#sites.get(name)
    if (site === undefined) throw new Error(`the Worker ${name} has no address: call openSite first`)
    return site
  }

  async stop(): Promise<void> {
    this.#api.close()
    await Promise.all([...this.#sites.values()].map((site) => site.close()))
  }

  find(name: string): FakeWorker {
    const worker = this.#workers.get(name) ?? new FakeWorker(name)
    this.#workers.set(name, worker)
    return worker
  }

  get site(): string {
    return this.findSite(NAME).origin
  }

  /** Environment variables that make wrangler call this server instead of Cloudflare. */
  get environment(): Record<string, string> {
    return {
      CLOUDFLARE_API_BASE_URL: `${this.#api.origin}/client/v4`,
      CLOUDFLARE_API_TOKEN: TOKEN,
      CLOUDFLARE_ACCOUNT_ID: ACCOUNT,
    }
  }

  /** Versions of the production site. */
  get versions(): readonly FakeVersion[] {
    return this.find(NAME).versions
  }

  get live(): FakeVersion | undefined {
    return this.find(NAME).live
  }

  read(version: FakeVersion, path: string): string | undefined {
    return this.assets.read(version.files.get(path))?.toString()
  }

  /** Adds a version without an upload and puts it live, in an account that has published before. Returns its id. */
  async seed(files: Readonly<Record<string, string>>, tag: string): Promise<string> {
    this.account.use(PUBLISHED)
    const worker = this.find(NAME)
    const hashed = Object.entries(files).map(([path, text]) => [path, this.assets.keep(text)] as const)
    const { id } = worker.upload({
      files: new Map(hashed),
      code: null,
      tag,
      message: '',
      keepsSecrets: true,
    })
    worker.migration = LAST_MIGRATION
    worker.isExposed = true
    worker.putLive(id, '', true)
    const site = this.findSite(NAME)
    site.early = 0
    await site.showLive()
    return id
  }

  /** Makes a step fail until `work` is called. With `isDone`, the step takes effect, but its answer is an error. */
  fail(step: FailingStep, isDone = false): void {
    this.#failing = { step, isDone }
  }

  work(): void {
    this.#failing = null
    this.delay = 0
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.calls += 1
    const body = await buffer(request)
    // Never answers; wrangler closes the connection when it gives up.
    if (this.delay === Infinity) return
    await wait(this.delay)
    const { status, code, message, result } = await this.#read(request, body)
    const errors = code === undefined ? [] : [{ code, message }]
    // `retry-after: 0` makes wrangler retry failed uploads without delay.
    response.writeHead(status ?? 200, { 'content-type': 'application/json', 'retry-after': '0' })
    const answer = { success: errors.length === 0, errors, messages: [], result: result ?? null }
    response.end(JSON.stringify(answer))
  }

  async #read(
    { method, url = '/', headers }: IncomingMessage,
    body: Buffer,
  ): Promise<{
    readonly result?: unknown
    readonly status?: number
    readonly code?: number
    readonly message?: string
  }> {
    const { pathname, searchParams } = new URL(url, 'http://api')
    const path = pathname.replace(ACCOUNT_ROOT, '')
    const call = { route: `${method} ${pathname.replace(ROOT, '')}`, parameters: searchParams, headers, body }
    try {
      this.account.check(method ?? '', path, headers.authorization)
      if (method === 'DELETE' && (await this.#removeObject(path))) return {}
      const stored = this.stores.answer(method ?? '', path, searchParams, body)
      if (stored !== undefined) {
        // Restarts the live versions, because a running Worker does not consume queues that got a consumer after its
        // start.
        if (path.endsWith('/consumers') && method !== 'GET') await this.#showAll()
        return { result: stored }
      }
      const world = {
        assets: this.assets,
        stores: this.stores,
        domains: this.domains,
        subdomain: this.account.subdomain,
        find: (name: string) => this.find(name),
        showLive: async (name: string) => this.#sites.get(name)?.showLive(),
        perform: <Result>(step: FailingStep, work: () => Promise<Result>) => this.#perform(step, work),
      }
      return { result: await answerCloudflare(call, world) }
    } catch (error) {
      if (error instanceof ApiError) return error
      return { status: 500, code: 10013, message: `The stand-in for Cloudflare failed: ${String(error)}` }
    }
  }

  /**
   * Deletes an object and returns true. Throws if the object does not exist, or if the call would delete a bucket that
   * is not empty. Returns false for all other calls, which the caller then handles.
   */
  async #removeObject(path: string): Promise<boolean> {
    const [, bucket = '', key] = /^\/r2\/buckets\/([^/]+)(?:\/objects\/(.+))?$/.exec(path) ?? []
    const { script = '', binding = '' } = this.stores.bound.get(bucket) ?? {}
    const site = this.#sites.get(script)
    if (key !== undefined) {
      if (((await site?.versions.deleteObjects(binding, decodeURIComponent(key))) ?? 0) > 0) return true
      throw new ApiError(404, 10007, 'The specified key does not exist.')
    }
    if (bucket !== '' && ((await site?.versions.countObjects(binding)) ?? 0) > 0)
      throw new ApiError(409, 10008, 'The bucket you tried to delete is not empty.')
    return false
  }

  async #showAll(): Promise<void> {
    for (const site of this.#sites.values()) await site.showLive()
  }

  async #perform<Result>(step: FailingStep, work: () => Promise<Result>): Promise<Result> {
    const failing = this.#failing?.step === step ? this.#failing : null
    const result = failing === null || failing.isDone ? await work() : null
    if (failing !== null || result === null)
      throw new ApiError(400, 10001, `${step} fails, because FakeCloudflare.fail was called`)
    return result
  }
}
