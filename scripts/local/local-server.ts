/** Servers on free ports of this machine, in place of services. */
import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown

/** Longer than any pause between two calls of a client, in milliseconds. */
const KEPT_ALIVE = 60_000

let waitBefore: () => Promise<unknown> = async () => {}

/** Makes every stand-in of this process call `wait` before each answer. */
export function delayAnswers(wait: () => Promise<unknown>): void {
  waitBefore = wait
}

/** Waits as `delayAnswers` demands. For servers that must note each request before the wait. */
export async function beforeAnswer(): Promise<void> {
  await waitBefore()
}

export class LocalServer {
  readonly #server: Server

  /** If `answer` throws, the connection is closed. */
  constructor(answer: Answer) {
    const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      await beforeAnswer()
      await answer(request, response)
    }
    this.#server = createServer((request, response) => {
      pass(request, response).catch(() => response.destroy())
    })
    this.#server.keepAliveTimeout = KEPT_ALIVE
  }

  async start(): Promise<this> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening')
    return this
  }

  /** Empty before the server has started. */
  get origin(): string {
    return formatOrigin(this.#server)
  }

  /** `host:port` */
  get host(): string {
    return new URL(this.origin).host
  }

  /** Closes all connections, also those of requests that are not answered yet. */
  cut(): void {
    this.#server.closeAllConnections()
  }

  close(): void {
    this.#server.close()
    this.cut()
  }
}

/** Empty before the server listens. */
export function formatOrigin(server: Server): string {
  const address = server.address()
  return typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : ''
}
