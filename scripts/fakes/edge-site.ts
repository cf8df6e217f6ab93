/**
 * Serves the address of one Worker. Visitors get its live version or a failure: that of a new address, of a new
 * version, or of an outage that a test has set.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FakeDomains } from './fake-domains.ts'
import type { FakeWorker } from './fake-worker.ts'
import { LocalServer } from '../local/local-server.ts'
import type { FakeVersion } from './worker-version.ts'

/** Answers visitors with the version that was most recently passed to `show`. */
export interface VersionServer {
  show(version: FakeVersion): Promise<void>
  answer(request: IncomingMessage, response: ServerResponse): void
  /** Runs the nightly schedule of the version. */
  runSchedule(): Promise<void>
  /**
   * Deletes the objects of a bucket whose keys begin with the prefix, as a person does by hand. Returns their number.
   */
  deleteObjects(binding: string, prefix: string): Promise<number>
  countObjects(binding: string): Promise<number>
  close(): Promise<void>
}

/** How calls to `/api` fail: with status 500, without an answer, or with Cloudflare's challenge for bots. */
type ApiOutage = 'failing' | 'hanging' | 'challenging'

/** Failures with which a new address answers in turn, because not all servers of Cloudflare know the address yet. */
const EARLY = ['no certificate', 523, 404] as const

export class EdgeSite {
  readonly #worker: FakeWorker
  readonly versions: VersionServer
  readonly #server: LocalServer
  readonly #domains: FakeDomains
  outage: ApiOutage | null = null
  /** Calls to `/api` that are not answered yet, except those of the outage `hanging`. */
  readonly #calls = new Set<ServerResponse>()
  /** True if the Worker's Durable Objects were reset, so that the next call to `/api` fails. */
  #isReset = false
  /** Number of requests that the new address still answers with a failure of `EARLY`. */
  early = 4
  /** Number of calls to `/api` so far. */
  calls = 0

  constructor(worker: FakeWorker, versions: VersionServer, domains: FakeDomains) {
    this.#worker = worker
    this.versions = versions
    this.#domains = domains
    this.#server = new LocalServer((request, response) => this.#answer(request, response))
  }

  async start(): Promise<void> {
    await this.#server.start()
  }

  get origin(): string {
    return this.#server.origin
  }

  async showLive(): Promise<void> {
    const { live } = this.#worker
    if (live === undefined) return
    // A new version resets the Durable Objects, because all of them must run the code of the live version. The reset
    // cuts off their unanswered calls.
    for (const call of this.#calls) call.destroy()
    this.#isReset = true
    await this.versions.show(live)
  }

  async close(): Promise<void> {
    this.#server.close()
    await this.versions.close()
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const isCall = request.url?.startsWith('/api/') === true
    if (isCall) this.calls += 1
    const { isExposed, name } = this.#worker
    const hasAddress = isExposed || this.#domains.has(name)
    if (hasAddress && this.early > 0) return this.#refuse(response)
    if (isCall && this.outage === 'hanging') return
    if (isCall && hasAddress) this.#follow(response)
    if (isCall && this.outage === 'challenging')
      response.writeHead(403, { 'cf-mitigated': 'challenge' }).end('Just a moment...')
    else if (isCall && this.outage === 'failing') response.writeHead(500).end('error code: 1101')
    // The Worker has no address yet, for example because only its secrets have been set.
    else if (!hasAddress) response.writeHead(404).end('There is nothing here yet')
    else if (isCall && this.#isReset) this.#failOnce(response)
    else this.versions.answer(request, response)
  }

  #follow(response: ServerResponse): void {
    this.#calls.add(response)
    response.once('close', () => this.#calls.delete(response))
  }

  #failOnce(response: ServerResponse): void {
    this.#isReset = false
    response.writeHead(503).end('{}')
  }

  #refuse(response: ServerResponse): void {
    const early = EARLY[this.early % EARLY.length]
    this.early -= 1
    if (typeof early === 'number') response.writeHead(early).end('There is nothing here yet')
    else response.destroy()
  }
}
