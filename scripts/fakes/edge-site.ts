/** Serves the address of one Worker: the files of its live version. Its code does not run. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { LocalServer } from '../local/local-server.ts'
import type { AssetStore } from './asset-store.ts'
import type { FakeWorker } from './fake-worker.ts'
import type { FakeVersion } from './worker-version.ts'

/** Failures with which a new address answers in turn, because not all servers of Cloudflare know the address yet. */
const EARLY = ['no certificate', 523, 404] as const

export class EdgeSite {
  readonly #worker: FakeWorker
  readonly #assets: AssetStore
  readonly #server: LocalServer
  #shown: FakeVersion | null = null
  /** Number of requests that the new address still answers with a failure of `EARLY`. */
  early = 4

  constructor(worker: FakeWorker, assets: AssetStore) {
    this.#worker = worker
    this.#assets = assets
    this.#server = new LocalServer((request, response) => this.#answer(request, response))
  }

  async start(): Promise<void> {
    await this.#server.start()
  }

  get origin(): string {
    return this.#server.origin
  }

  showLive(): void {
    this.#shown = this.#worker.live ?? null
  }

  close(): void {
    this.#server.close()
  }

  #answer({ url = '/' }: IncomingMessage, response: ServerResponse): void {
    const { isExposed } = this.#worker
    if (isExposed && this.early > 0) return this.#refuse(response)
    const path = decodeURIComponent(new URL(url, 'http://site').pathname)
    const names = path === '/' ? ['/index.html'] : [path, `${path}.html`]
    const hash = names.map((name) => this.#shown?.files.get(name)).find((found) => found !== undefined)
    // Without an address, for example because only its secrets have been set, the Worker serves nothing.
    const content = isExposed ? this.#assets.read(hash) : undefined
    response.writeHead(content === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(content)
  }

  #refuse(response: ServerResponse): void {
    const early = EARLY[this.early % EARLY.length]
    this.early -= 1
    if (typeof early === 'number') response.writeHead(early).end('There is nothing here yet')
    else response.destroy()
  }
}
