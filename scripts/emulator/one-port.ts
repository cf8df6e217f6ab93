/** Serves gRPC and HTTP/1 on one port. The first bytes of a connection show its protocol. */
import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import type { Socket } from 'node:net'
import { createServer } from 'node:net'

// Every HTTP/2 connection begins with `PRI`, which no HTTP/1 request does. Source: RFC 9113, 3.4
const PREFACE = 'PRI'

interface PortOptions {
  readonly http: HttpServer
  /** Takes over a connection that speaks HTTP/2. */
  readonly grpc: (socket: Socket) => void
}

interface OnePort {
  readonly port: number
  stop(): void
}

export async function openPort({ http, grpc }: PortOptions): Promise<OnePort> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    socket.once('readable', () => {
      const first = socket.read() as Buffer | null
      if (first === null) return
      socket.unshift(first)
      if (first.toString('latin1').startsWith(PREFACE)) grpc(socket)
      else http.emit('connection', socket)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    stop: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
