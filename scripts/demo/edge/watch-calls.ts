/** Passes calls on, and reports when each arrives and is answered. */
import type { EventEmitter } from 'node:events'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'

export interface CallWatcher {
  readonly url: string
  close(): void
}

/** Emits the last part of the path for a call, and the same with ` answered` for its answer. */
export async function watchCalls(origin: string, events: EventEmitter): Promise<CallWatcher> {
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await buffer(incoming)
    const path = incoming.url ?? '/'
    const name = path.split('/').at(-1) ?? ''
    events.emit(name)
    const { host: _, connection: __, ...headers } = incoming.headers as Record<string, string>
    const response = await fetch(`${origin}${path}`, { method: 'POST', headers, body: new Uint8Array(body) })
    const answer = Buffer.from(await response.arrayBuffer())
    events.emit(`${name} answered`)
    outgoing.writeHead(response.status, { 'content-type': 'application/json' }).end(answer)
  }
  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch(() => outgoing.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the watcher has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
