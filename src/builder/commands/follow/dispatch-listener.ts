/**
 * Listens for dispatches, which are requests signed with a secret of the coordinator, and for `GET /health`. Builds
 * nothing.
 */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { literal, object, safeParse } from 'valibot'
import { parseJson } from '../../../domain/documents/json.ts'
import { createBodyRoom } from '../../../domain/wire/body-room.ts'
import { readSigned } from '../../../domain/wire/read-signed.ts'
import { decodeText } from '../../../domain/wire/signature.ts'
import { UsageError } from '../../files/usage-error.ts'
import type { Health } from './builder-health.ts'
import { isHealthy } from './builder-health.ts'

interface ListenerOptions {
  readonly host: string
  /** 0 for any free port. */
  readonly port: number
  readonly secrets: readonly string[]
  /** Called with the id of each dispatch. A redelivered dispatch has the same id. */
  readonly onDispatch: (build: string) => void
  readonly readHealth: () => Health
}

interface DispatchListener {
  readonly url: string
  close(): void
}

const LIMITS = { size: 16 * 1024, time: 10_000 }
/** Max bytes of bodies that are being read at the same time, before their signatures are checked. */
const ROOM = 1024 * 1024
const DISPATCH = object({ type: literal('build.wanted') })

/** Throws a `UsageError` if it cannot listen on that address. */
export async function listen({
  host,
  port,
  secrets,
  onDispatch,
  readHealth,
}: ListenerOptions): Promise<DispatchListener> {
  const room = createBodyRoom(ROOM)
  const answer = async (incoming: IncomingMessage): Promise<number> => {
    if (incoming.method !== 'POST') return 405
    const request = toRequest(incoming)
    const call = await readSigned(request, { secrets, limits: LIMITS, room })
    if (typeof call === 'number') return call
    if (!safeParse(DISPATCH, parseJson(decodeText(call.body) ?? '')).success) return 400
    onDispatch(call.id)
    return 202
  }
  const server = createServer(async (incoming, outgoing) => {
    if (incoming.method === 'GET' && incoming.url === '/health') return answerHealth(readHealth(), outgoing)
    outgoing.writeHead(await answer(incoming).catch(() => 500)).end()
  })
  await once(server.listen(port, host), 'listening').catch((error: Error) => {
    throw new UsageError(
      `cannot listen on ${host} port ${port} (${error.message}): use another --host or --port`,
      {
        cause: error,
      },
    )
  })
  const address = server.address()
  const taken = typeof address === 'object' && address !== null ? address.port : port
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    close: () => {
      server.close()
      // Closes open connections, because a client that never completes its request would keep this process running.
      server.closeAllConnections()
    },
  }
}

function answerHealth(health: Health, outgoing: ServerResponse): void {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }
  outgoing.writeHead(isHealthy(health) ? 200 : 503, headers).end(`${JSON.stringify(health)}\n`)
}

function toRequest(incoming: IncomingMessage): Request {
  const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )
  const init = { method: 'POST', headers, body: Readable.toWeb(incoming), duplex: 'half' }
  return new Request('http://localhost', init as RequestInit)
}
