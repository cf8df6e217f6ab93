/** Plays Cloudflare on local ports: the part of its API that wrangler uses, and the site of the Worker. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { ApiError } from './api-error.ts'
import { FakeAccount } from './fake-account.ts'
import { AssetStore } from './asset-store.ts'
import type { FailingStep } from './cloudflare-routes.ts'
import { answerCloudflare } from './cloudflare-routes.ts'
import { EdgeSite } from './edge-site.ts'
import { FakeWorker } from './fake-worker.ts'
import { LocalServer } from '../local/local-server.ts'
import type { FakeVersion } from './worker-version.ts'

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
  /** A new account: Workers are not enabled yet, and its token has no permissions. */
  readonly account = new FakeAccount(TOKEN)
  readonly assets = new AssetStore()
  readonly #workers = new Map<string, FakeWorker>()
  readonly #site = new EdgeSite(this.find(NAME), this.assets)
  readonly #api = new LocalServer((request, response) => this.#answer(request, response))
  #failing: FailingStep | null = null

  async start(): Promise<void> {
    await Promise.all([this.#api.start(), this.#site.start()])
  }

  async stop(): Promise<void> {
    this.#api.close()
    this.#site.close()
  }

  /** Lets the new address answer at once. */
  settle(): void {
    this.#site.early = 0
  }

  find(name: string): FakeWorker {
    const worker = this.#workers.get(name) ?? new FakeWorker(name)
    this.#workers.set(name, worker)
    return worker
  }

  get site(): string {
    return this.#site.origin
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
    this.settle()
    this.#site.showLive()
    return id
  }

  /** Makes a step fail until `work` is called. */
  fail(step: FailingStep): void {
    this.#failing = step
  }

  work(): void {
    this.#failing = null
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, code, message, result } = await this.#read(request, await buffer(request))
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
      const world = {
        assets: this.assets,
        subdomain: this.account.subdomain,
        find: (name: string) => this.find(name),
        showLive: () => this.#site.showLive(),
        perform: async <Result>(step: FailingStep, work: () => Promise<Result>) => {
          if (step === this.#failing)
            throw new ApiError(400, 10001, `${step} fails, because FakeCloudflare.fail was called`)
          return work()
        },
      }
      return { result: await answerCloudflare(call, world) }
    } catch (error) {
      if (error instanceof ApiError) return error
      return { status: 500, code: 10013, message: `The stand-in for Cloudflare failed: ${String(error)}` }
    }
  }
}
