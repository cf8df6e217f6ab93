/** A photo host that violates HTTP or breaks connections off: each path in another way. */
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { createServer } from 'node:net'

export interface RawHost {
  readonly origin: string
  close(): Promise<void>
}

interface Way {
  readonly act: (socket: Socket) => void
  /** The expected reason. */
  readonly reason: RegExp
}

const OK = 'HTTP/1.1 200 OK\r\n'

export const RAW_WAYS: Readonly<Record<string, Way>> = {
  '/switches': {
    act: (socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
    reason: /status 101/,
  },
  '/switches-and-closes': {
    act: (socket) =>
      socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
    reason: /status 101/,
  },
  '/switches-to-nothing': {
    act: (socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
    reason: /status 101|hang up|closed/,
  },
  '/says-nothing': { act: () => {}, reason: /did not arrive/ },
  '/hangs-up': { act: (socket) => socket.end(), reason: /hang up/ },
  '/resets': { act: (socket) => socket.resetAndDestroy(), reason: /ECONNRESET|hang up/ },
  '/garbage': { act: (socket) => socket.end('\u0000\u0001 no HTTP at all\r\n\r\n'), reason: /Parse Error/ },
  '/only-hints': {
    act: (socket) => socket.end('HTTP/1.1 103 Early Hints\r\n\r\n'),
    reason: /hang up|closed/,
  },
  '/continues-forever': {
    act: (socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 100 Continue\r\n\r\n'), 50)
      socket.on('close', () => clearInterval(timer))
    },
    reason: /did not arrive/,
  },
  '/half-headers': { act: (socket) => socket.end(`${OK}Content-Len`), reason: /hang up|Parse Error/ },
  '/half-body': {
    act: (socket) => socket.end(`${OK}Content-Length: 1000\r\n\r\nhalf`),
    reason: /aborted|closed/,
  },
  '/resets-in-body': {
    act: (socket) => {
      socket.write(`${OK}Content-Length: 1000\r\n\r\nhalf`)
      setTimeout(() => socket.resetAndDestroy(), 50)
    },
    reason: /aborted|ECONNRESET/,
  },
  '/stops-in-body': {
    act: (socket) => socket.write(`${OK}Content-Length: 1000\r\n\r\nhalf`),
    reason: /did not arrive/,
  },
  '/bad-chunks': {
    act: (socket) => socket.end(`${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\nhalf\r\n`),
    reason: /Parse Error|aborted/,
  },
  '/no-place': {
    act: (socket) => socket.end('HTTP/1.1 302 Found\r\nLocation: http://[\r\nContent-Length: 0\r\n\r\n'),
    reason: /redirects to an address that/,
  },
}

export async function startRawHost(): Promise<RawHost> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    // The client may close the connection at any time.
    socket.on('error', () => {})
    socket.once('data', (bytes) => RAW_WAYS[/^GET (\S+)/.exec(String(bytes))?.[1] ?? '']?.act(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
