/** A site on the real runtime with its own coordinator, and a dispatch target. */
import { EventEmitter, once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { formatOrigin } from '../../../scripts/local/local-server.ts'
import { signMessage } from '../../../src/domain/wire/signature.ts'
import type { Status } from '../../../src/domain/wire/coordinator-status.ts'
import { HeldPort } from '../../support/run/held-port.ts'
import { ROOT } from '../../../src/builder/files/project-folder.ts'
import type { WorkerRuntime } from '../../support/edge/worker-runtime.ts'
import { startRuntime } from '../../support/edge/worker-runtime.ts'

export const SITE_SECRET = `whsec_${Buffer.from('a secret to be searched for').toString('base64')}`
export const PREVIOUS = `whsec_${Buffer.from('the secret of before, too').toString('base64')}`

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
  readonly #files = join(this.#folder, 'dist')
  readonly #variables: Readonly<Record<string, string>>
  readonly #port = new HeldPort()
  /** The text of all answers, for searching. */
  readonly answers: string[] = []
  readonly state = join(this.#folder, 'state')
  #runtime: WorkerRuntime | null = null
  #calls = 0

  constructor(variables: Readonly<Record<string, string>> = {}) {
    this.#variables = { REBUILD_SECRET: SITE_SECRET, REBUILD_SECRET_PREVIOUS: PREVIOUS, ...variables }
    mkdirSync(this.#files)
    writeFileSync(join(this.#files, 'index.html'), 'home')
  }

  /** Stays the same over restarts. */
  get origin(): string {
    return this.#port.origin
  }

  async start(): Promise<void> {
    await this.#port.open()
    await this.restart()
  }

  async restart(): Promise<void> {
    this.#runtime = await startRuntime({
      configuration: join(ROOT, 'wrangler.jsonc'),
      entry: join(ROOT, 'tests/support/edge/workers/coordinator-entry.ts'),
      files: this.#files,
      variables: this.#variables,
      state: this.state,
    })
    this.#port.target = new URL(this.#runtime.origin)
  }

  async kill(): Promise<void> {
    this.#port.target = null
    await this.#runtime?.kill()
  }

  async close(): Promise<void> {
    await this.kill()
    this.#port.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Moves the coordinator's clock. Resolves when what is due by then is done. */
  async pass(time: number): Promise<void> {
    const { status } = await this.send('/test/pass', { method: 'POST', body: String(time) })
    if (status !== 200) throw new Error('the clock could not be moved')
  }

  async call(path: string, body: unknown, options: CallOptions = {}): Promise<SiteAnswer> {
    this.#calls += 1
    const { id = `call-${this.#calls}`, secret = SITE_SECRET, time = new Date(), headers = {} } = options
    const sent = typeof body === 'string' ? body : JSON.stringify(body)
    return this.send(path, {
      method: 'POST',
      headers: { ...signMessage([secret], { id, body: sent }, time), ...headers },
      body: sent,
    })
  }

  /** Over a connection of its own: after a body that was refused unread, the runtime closes it. */
  async send(path: string, { headers: sent, ...request }: RequestInit): Promise<SiteAnswer> {
    const response = await fetch(`${this.origin}/api/rebuild${path}`, {
      ...request,
      headers: { ...sent, connection: 'close' },
    })
    const { status, headers } = response
    const said = await response.text()
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

  async claim(builder: string, have: number | null): Promise<Claimed> {
    const { status, body } = await this.call('/claim', { builder, have })
    if (status !== 200) throw new Error(`the claim was answered ${status}`)
    return body as { lease: string; upTo: number }
  }

  async finish(lease: string, upTo: number): Promise<void> {
    const { status } = await this.call('/done', { lease, upTo, failed: [] })
    if (status !== 200) throw new Error(`the report was answered ${status}`)
  }

  /** Runs a whole build. Returns the sequence that the builder has afterwards. */
  async build(have: number | null): Promise<number> {
    const { lease, upTo } = await this.claim('machine', have)
    await this.finish(lease, upTo)
    return upTo
  }
}

interface Claimed {
  readonly lease: string
  readonly upTo: number
  readonly sellers?: readonly string[]
}

export function createNotice(sellers: readonly string[]): object {
  return { type: 'catalogue.changed', timestamp: new Date().toISOString(), data: { sellers } }
}

export interface Received {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

type Handle = (response: ServerResponse, received: Received) => unknown

const agree: Handle = (response) => void response.writeHead(204).end()

/** A dispatch target that answers with the queued handlers, then with `usual`. */
export class TargetServer {
  readonly received: Received[] = []
  #answers: Handle[] = []
  readonly #usual: Handle
  readonly #arrived = new EventEmitter()
  readonly #server = createServer((request, response) => {
    // A connection may break in the middle of a dispatch, or of what a handler does.
    this.#receive(request, response).catch(() => response.destroy())
  })
  /** While it is down, it closes every connection. */
  isDown = false

  constructor(usual: Handle = agree) {
    this.#usual = usual
    this.#server.on('connection', (socket) => void (this.isDown && socket.destroy()))
  }

  get url(): string {
    return formatOrigin(this.#server)
  }

  async start(): Promise<void> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening')
  }

  stop(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  goDown(): void {
    this.isDown = true
    this.#server.closeAllConnections()
  }

  /** Queues handlers for the next dispatches; replaces the queue. */
  answer(...handles: readonly Handle[]): void {
    this.#answers = [...handles]
  }

  /** Resolves with the last `count` dispatches, once there are so many. */
  async waitFor(count: number): Promise<readonly Received[]> {
    while (this.received.length < count) await once(this.#arrived, 'one')
    return this.received.slice(-count)
  }

  forget(): void {
    this.received.length = 0
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '', headers } = request
    const received = { url, headers, body: await text(request) }
    this.received.push(received)
    this.#arrived.emit('one')
    const answer = this.#answers.shift() ?? this.#usual
    await answer(response, received)
  }
}
