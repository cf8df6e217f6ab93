/** Servers for one test: one that answers, and a host that refuses connections. */
import { onTestFinished } from 'vitest'
import { LocalServer } from '../../../scripts/audit/local-server.ts'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

/** Returns the origin of a server that closes when the running test ends, even if requests are unanswered. */
export async function startServer(answer: ConstructorParameters<typeof LocalServer>[0]): Promise<string> {
  const server = await new LocalServer(answer).start()
  onTestFinished(() => server.close())
  return server.origin
}

/** Returns `host:port`. An open connection has this port: unlike a free port, no other process can take it. */
export async function holdClosedHost(): Promise<string> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  onTestFinished(() => {
    socket.destroy()
    server.close()
  })
  return `127.0.0.1:${socket.localPort}`
}
