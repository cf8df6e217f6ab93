/** Passes calls on to a server, and emits an event when a call arrives and another when it is answered. */
import { EventEmitter } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { LocalServer } from './local-server.ts'

/**
 * Returns an event emitter with a listener for `error`, because an `error` event without a listener would end the
 * process.
 */
export function createEvents(): EventEmitter {
  return new EventEmitter().on('error', () => {})
}

/**
 * Starts a proxy to `origin`. Each call emits an event with the last part of its path as the name; each answer emits an
 * event with that name followed by ` answered`.
 */
export function watchCalls(origin: string, events: EventEmitter): Promise<LocalServer> {
  const server = new LocalServer(async (incoming, outgoing) => {
    const body = await buffer(incoming)
    const path = incoming.url ?? '/'
    const name = path.split('/').at(-1) ?? ''
    events.emit(name)
    const { host: _, connection: __, ...headers } = incoming.headers as Record<string, string>
    const response = await fetch(`${origin}${path}`, { method: 'POST', headers, body: new Uint8Array(body) })
    const answer = Buffer.from(await response.arrayBuffer())
    events.emit(`${name} answered`)
    outgoing.writeHead(response.status, { 'content-type': 'application/json' }).end(answer)
  })
  return server.start()
}
