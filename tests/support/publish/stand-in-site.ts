/**
 * A site whose files are in a folder, with a coordinator that grants every claim, and the file calls of a bucket. For
 * tests of the deploy command, beside the stub of wrangler; `tests/edge` has the real coordinator.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { LocalServer } from '../../../scripts/audit/local-server.ts'
import { PREFIX } from '../../../src/domain/wire/calls.ts'
import { parseFileCall } from '../../../src/domain/wire/file-calls.ts'
import type { SiteMarker } from '../../../src/domain/wire/site-marker.ts'
import { MARKER, parseMarker } from '../../../src/domain/wire/site-marker.ts'

export interface SiteCall {
  readonly name: string
  readonly body: Readonly<Record<string, unknown>>
}

export class StandInSite {
  readonly #folder: string
  /** The calls to the coordinator, in order. */
  readonly calls: SiteCall[] = []
  /** Who is named by the next claim; `null` for everything, until a build is reported. */
  #named: readonly string[] | null = null
  /** Answers of calls that are given in the place of the usual ones. */
  readonly answers = new Map<string, readonly [status: number, body: object]>()
  /** Earlier markers with which the next requests are answered, as if a new version were not everywhere yet. */
  readonly late: string[] = []
  /** False: it has no Worker, and so no coordinator. */
  hasWorker = true
  readonly #server = new LocalServer((request, response) => this.#answer(request, response))
  #upTo = 0

  /** `folder`: that of the live files. */
  constructor(folder: string) {
    this.#folder = folder
  }

  async start(): Promise<this> {
    await this.#server.start()
    return this
  }

  close(): void {
    this.#server.close()
  }

  /** Not that of this machine, which is never published. */
  get url(): string {
    return this.#server.origin
  }

  get live(): SiteMarker | null {
    const file = join(this.#folder, MARKER)
    return existsSync(file) ? parseMarker(readFileSync(file, 'utf8')) : null
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://site')
    const body = await buffer(request)
    const key = parseFileCall(pathname)
    const send = (status: number, text: string | Uint8Array = ''): void =>
      void response.writeHead(status).end(text)
    if (pathname.startsWith(PREFIX)) {
      if (!this.hasWorker) return send(404)
      const call = { name: pathname.slice(PREFIX.length + 1), body: JSON.parse(body.toString()) }
      this.calls.push(call)
      const [status, answer] = this.answers.get(call.name) ?? [200, this.#coordinate(call)]
      return send(status, JSON.stringify(answer))
    }
    if (key !== null) return send(200, this.#changeFile(request.method ?? '', key, body))
    const earlier = pathname === `/${MARKER}` ? this.late.shift() : undefined
    if (earlier !== undefined) return send(200, earlier)
    const file = join(this.#folder, pathname === '/' ? 'index.html' : pathname)
    return existsSync(file) ? send(200, readFileSync(file)) : send(404)
  }

  #coordinate({ name, body }: SiteCall): object {
    const { live } = this
    if (name === 'claim') {
      const named = this.#named === null ? { full: true } : { sellers: this.#named }
      return { upTo: (this.#upTo += 1), seconds: 120, live, ...named }
    }
    if (name === 'done' && 'marker' in body) this.#named = []
    return { seconds: 120, live, waiting: 0, until: null }
  }

  /** Returns the answer. */
  #changeFile(method: string, key: string, body: Uint8Array): string {
    const file = join(this.#folder, key)
    if (method === 'PUT') {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, body)
    }
    if (method === 'DELETE') rmSync(file, { force: true })
    return method === 'GET' ? JSON.stringify({ files: this.#list(key), cursor: null }) : ''
  }

  #list(prefix: string): readonly (readonly [string, string])[] {
    if (!existsSync(this.#folder)) return []
    const paths = readdirSync(this.#folder, { recursive: true, encoding: 'utf8' })
    return paths
      .filter((path) => path.startsWith(prefix) && statSync(join(this.#folder, path)).isFile())
      .map((path) => {
        const md5 = createHash('md5').update(readFileSync(join(this.#folder, path)))
        return [path, md5.digest('hex')] as const
      })
  }
}
