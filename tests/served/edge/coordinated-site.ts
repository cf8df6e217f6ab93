/** A site on the real runtime with its own coordinator, and a dispatch target. */
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import type { Edge } from '../../../src/builder/publish/local-edge.ts'
import { findFreePort, startEdge } from '../../../src/builder/publish/local-edge.ts'
import { signMessage } from '../../../src/domain/wire/signature.ts'
import type { Status } from '../../../src/domain/wire/coordinator-status.ts'

export const SECRET = `whsec_${Buffer.from('a secret to be searched for').toString('base64')}`
export const PREVIOUS = `whsec_${Buffer.from('the secret of before, too').toString('base64')}`

const PATIENCE = 30_000

/**
 * `wrangler dev` has a proxy before the Worker. After a body that the Worker refused unread, their connection closes;
 * a POST that the proxy sends over it just then gets this answer. Only a GET is sent again by the proxy itself.
 */
const LOST = 'Error: Network connection lost'
const TRIES = 3

export interface CallOptions {
  readonly id?: string
  readonly secret?: string
  /** Time of the signature. */
  readonly time?: Date
  readonly headers?: Readonly<Record<string, string>>
}

export interface SiteAnswer {
  readonly status: number
  readonly body: Record<string, unknown>
  readonly headers: Headers
}

export class CoordinatedSite {
  readonly #folder = mkdtempSync(join(tmpdir(), 'vitrina-coordinator-'))
  readonly #variables: Readonly<Record<string, string>>
  /** The text of all answers, for searching. */
  readonly answers: string[] = []
  readonly state = join(this.#folder, 'state')
  #edge: Edge | null = null
  #calls = 0

  constructor(variables: Readonly<Record<string, string>> = {}) {
    this.#variables = { REBUILD_SECRET: SECRET, REBUILD_SECRET_PREVIOUS: PREVIOUS, ...variables }
    mkdirSync(join(this.#folder, 'dist'))
    writeFileSync(join(this.#folder, 'dist/index.html'), 'home')
  }

  get origin(): string {
    return this.#edge?.origin ?? ''
  }

  async start(): Promise<void> {
    await this.#startAt(await findFreePort())
  }

  /** Starts again on the same port, once it is free. */
  async restart(): Promise<void> {
    await this.#startAt(Number(new URL(this.origin).port))
  }

  async #startAt(port: number): Promise<void> {
    this.#edge = await startEdge({
      port,
      serve: { folder: join(this.#folder, 'dist') },
      variables: this.#variables,
      state: this.state,
    })
  }

  async kill(): Promise<void> {
    await this.#edge?.kill()
  }

  async close(): Promise<void> {
    await this.#edge?.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async call(path: string, body: unknown, options: CallOptions = {}): Promise<SiteAnswer> {
    this.#calls += 1
    const { id = `call-${this.#calls}`, secret = SECRET, time = new Date(), headers = {} } = options
    const sent = typeof body === 'string' ? body : JSON.stringify(body)
    return this.send(path, {
      method: 'POST',
      headers: { ...signMessage([secret], { id, body: sent }, time), ...headers },
      body: sent,
    })
  }

  async send(path: string, request: RequestInit, tries = TRIES): Promise<SiteAnswer> {
    const response = await fetch(`${this.origin}/api/rebuild${path}`, request)
    const { status, headers } = response
    const said = await response.text()
    if (tries > 1 && said.startsWith(LOST)) return this.send(path, request, tries - 1)
    this.answers.push(said)
    return { status, headers, body: said === '' ? {} : JSON.parse(said) }
  }

  notify(sellers: readonly string[], options: CallOptions = {}): Promise<SiteAnswer> {
    return this.call('', createNotice(sellers), options)
  }

  async status(): Promise<Status> {
    const { body } = await this.call('/status', {})
    return body as Status
  }

  async claim(
    builder: string,
    have: number | null,
  ): Promise<{ lease: string; upTo: number; sellers?: readonly string[]; full?: true }> {
    const { status, body } = await this.call('/claim', { builder, have })
    if (status !== 200) throw new Error(`the claim was answered ${status}`)
    return body as { lease: string; upTo: number }
  }

  async finish(lease: string, upTo: number, failed: readonly string[] = []): Promise<void> {
    const reasons = failed.map((seller) => ({ seller, reason: 'its page throws' }))
    const { status } = await this.call('/done', { lease, upTo, failed: reasons })
    if (status !== 200) throw new Error(`the report was answered ${status}`)
  }

  /** Runs a whole build. Returns the sequence that the builder has afterwards. */
  async build(have: number | null, failed: readonly string[] = []): Promise<number> {
    const { lease, upTo } = await this.claim('machine', have)
    await this.finish(lease, upTo, failed)
    return upTo
  }
}

export function createNotice(sellers: readonly string[]): object {
  return { type: 'catalogue.changed', timestamp: new Date().toISOString(), data: { sellers } }
}

export interface Received {
  readonly at: number
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

type Handle = (response: ServerResponse) => void

const agree: Handle = (response) => void response.writeHead(204).end()

/** A dispatch target that answers with the queued handlers, then with 204. */
export class TargetServer {
  readonly received: Received[] = []
  readonly port: number
  #answers: Handle[] = []
  #server = createServer()

  constructor(port: number) {
    this.port = port
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  async start(): Promise<void> {
    this.#server = createServer(async (request, response) => {
      const { url = '', headers } = request
      this.received.push({ at: performance.now(), url, headers, body: await text(request) })
      const answer = this.#answers.shift() ?? agree
      answer(response)
    })
    await once(this.#server.listen(this.port, '127.0.0.1'), 'listening')
  }

  stop(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  /** Queues handlers for the next dispatches; replaces the queue. */
  answer(...handles: readonly Handle[]): void {
    this.#answers = [...handles]
  }

  async waitFor(count: number): Promise<readonly Received[]> {
    const end = performance.now() + PATIENCE
    while (this.received.length < count) {
      if (performance.now() > end)
        throw new Error(`${this.received.length} dispatches came instead of ${count}`)
      await wait(20)
    }
    return this.received.slice(-count)
  }

  forget(): void {
    this.received.length = 0
  }
}
