/** HTTP servers on free ports of this machine, for stand-ins of external services. */
import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown

/**
 * Keep-alive timeout in milliseconds. It is longer than any pause between two calls of a client, so that no connection
 * is closed just when a client uses it again.
 */
const KEPT_ALIVE = 60_000

export class LocalServer {
  readonly #server: Server

  /** If `answer` throws or rejects, the connection is closed. */
  constructor(answer: Answer) {
    this.#server = createServer(async (request, response) => {
      try {
        await answer(request, response)
      } catch {
        response.destroy()
      }
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

  /** Closes all connections, including those of unanswered requests. */
  cut(): void {
    this.#server.closeAllConnections()
  }

  close(): void {
    this.#server.close()
    this.cut()
  }
}

/** Returns `http://127.0.0.1:<port>`; empty before the server listens. */
function formatOrigin(server: Server): string {
  const address = server.address()
  return typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : ''
}
