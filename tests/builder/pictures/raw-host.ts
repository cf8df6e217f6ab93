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
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`
const SWITCH = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'
const LATE = /did not arrive/
const CUT = /aborted|closed|hang up|ECONNRESET/
const NO_PHOTO = /is not a JPEG/

const write =
  (text: string): Way['act'] =>
  (socket) =>
    void socket.write(text)
const end =
  (text: string): Way['act'] =>
  (socket) =>
    void socket.end(text)
const redirect = (location: string): Way['act'] =>
  end(`HTTP/1.1 302 Found\r\n${location}Content-Length: 0\r\n\r\n`)

/** Writes `start`, then `text` again and again until the client closes the connection. */
function repeat(start: string, text: string, every: number): Way['act'] {
  return (socket) => {
    socket.write(start)
    const timer = setInterval(() => socket.write(text), every)
    socket.on('close', () => clearInterval(timer))
  }
}

/** Writes `start`, then `text` as fast as the client reads it. */
function flood(start: string, text: string): Way['act'] {
  return (socket) => {
    const block = text.repeat(Math.ceil(65_536 / text.length))
    const fill = (): void => {
      while (!socket.destroyed && socket.write(block));
    }
    socket.on('drain', fill)
    socket.write(start)
    fill()
  }
}

function resetAfter(text: string): Way['act'] {
  return (socket) => void socket.write(text, () => socket.resetAndDestroy())
}

export const RAW_WAYS: Readonly<Record<string, Way>> = {
  '/switches': { act: write(SWITCH), reason: CUT },
  '/switches-and-closes': { act: end(SWITCH), reason: CUT },
  '/switches-and-resets': { act: resetAfter(SWITCH), reason: CUT },
  '/switches-and-speaks-on': { act: flood(SWITCH, 'x'), reason: CUT },
  '/switches-to-nothing': {
    act: end('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
    reason: /status 101/,
  },
  '/switches-to-nothing-and-stays': {
    act: write('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
    reason: /status 101/,
  },
  '/switches-late': { act: write(`HTTP/1.1 103 Early Hints\r\n\r\n${SWITCH}`), reason: CUT },
  '/upgrades-in-200': {
    act: end(`${OK}Connection: Upgrade\r\nUpgrade: x\r\nContent-Length: 3\r\n\r\nxxx`),
    reason: NO_PHOTO,
  },
  '/processing': { act: end('HTTP/1.1 102 Processing\r\n\r\n'), reason: CUT },
  '/only-hints': { act: end('HTTP/1.1 103 Early Hints\r\n\r\n'), reason: CUT },
  '/continues-forever': { act: repeat('', 'HTTP/1.1 100 Continue\r\n\r\n', 50), reason: LATE },
  '/hints-flood': {
    act: flood('', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'),
    reason: LATE,
  },
  '/says-nothing': { act: () => {}, reason: LATE },
  '/hangs-up': { act: (socket) => socket.end(), reason: CUT },
  '/resets': { act: (socket) => socket.resetAndDestroy(), reason: CUT },
  '/resets-in-status': { act: resetAfter('HTTP/1.'), reason: CUT },
  '/resets-in-headers': { act: resetAfter(`${OK}Content-Type: image/`), reason: CUT },
  '/resets-in-body': { act: resetAfter(`${OK}Content-Length: 1000\r\n\r\nhalf`), reason: CUT },
  '/garbage': { act: end('\u0000\u0001 no HTTP at all\r\n\r\n'), reason: /Parse Error/ },
  '/old-http': { act: end('HTTP/0.9 200 OK\r\n\r\nphoto'), reason: /Parse Error|is not a JPEG/ },
  '/half-headers': { act: end(`${OK}Content-Len`), reason: /hang up|Parse Error/ },
  '/headers-drip': { act: repeat(OK, 'x', 50), reason: LATE },
  '/header-flood': { act: flood(OK, 'x'), reason: /Header overflow|did not arrive/ },
  '/headers-flood': { act: flood(OK, 'x: y\r\n'), reason: /Header overflow|did not arrive/ },
  '/wrong-header': { act: end(`${OK}a b\u0000c: d\r\n\r\n`), reason: /Parse Error/ },
  '/empty': { act: end(`${OK}Content-Length: 0\r\n\r\n`), reason: NO_PHOTO },
  '/no-content': { act: end('HTTP/1.1 204 No Content\r\n\r\n'), reason: /status 204/ },
  '/reset-content': {
    act: end('HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n'),
    reason: /status 205/,
  },
  '/part': { act: end('HTTP/1.1 206 Partial Content\r\nContent-Length: 1\r\n\r\nx'), reason: /status 206/ },
  '/unasked-304': { act: end('HTTP/1.1 304 Not Modified\r\n\r\n'), reason: /status 304/ },
  '/odd-status': { act: end('HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n'), reason: /status 999/ },
  '/half-body': { act: end(`${OK}Content-Length: 1000\r\n\r\nhalf`), reason: CUT },
  '/stops-in-body': { act: write(`${OK}Content-Length: 1000\r\n\r\nhalf`), reason: LATE },
  '/drips': { act: repeat(`${OK}Content-Length: 100000\r\n\r\n`, 'x', 50), reason: LATE },
  '/too-long': { act: end(`${OK}Content-Length: 2\r\n\r\nfour`), reason: /is not a JPEG|Parse Error/ },
  '/wrong-length': { act: end(`${OK}Content-Length: -1\r\n\r\nfour`), reason: /Parse Error/ },
  '/two-lengths': {
    act: end(`${OK}Content-Length: 4\r\nContent-Length: 5\r\n\r\nfour`),
    reason: /Parse Error/,
  },
  '/bad-chunks': { act: end(`${CHUNKED}zz\r\nhalf\r\n`), reason: /Parse Error|aborted/ },
  '/half-chunk': { act: end(`${CHUNKED}ff\r\nhalf`), reason: CUT },
  '/chunks-forever': { act: repeat(CHUNKED, '1\r\nx\r\n', 50), reason: LATE },
  '/chunks-flood': { act: flood(CHUNKED, '1\r\nx\r\n'), reason: /is larger than|did not arrive/ },
  '/chunk-extension-flood': {
    act: flood(CHUNKED, '1;x'),
    reason: /Parse Error|overflow|aborted|did not arrive/,
  },
  '/trailer-flood': {
    act: flood(`${CHUNKED}1\r\nx\r\n0\r\n`, 'x: y\r\n'),
    reason: /Header overflow|did not arrive|aborted/,
  },
  '/body-flood': { act: flood(`${OK}\r\n`, 'x'), reason: /is larger than/ },
  '/answers-twice': {
    act: end(`${OK}Content-Length: 1\r\n\r\nx${OK}Content-Length: 1\r\n\r\ny`),
    reason: /is not a JPEG|Parse Error/,
  },
  '/odd-validators': {
    act: end(`${OK}ETag: "\u0080"\r\nContent-Length: 1\r\n\r\nx`),
    reason: NO_PHOTO,
  },
  '/no-location': { act: redirect(''), reason: /more than 3 redirects/ },
  '/no-place': {
    act: redirect('Location: http://[\r\n'),
    reason: /redirects to an address that is not a valid address/,
  },
  '/in-circles': { act: redirect('Location: /in-circles\r\n'), reason: /more than 3 redirects/ },
  '/to-silence': { act: redirect('Location: /says-nothing\r\n'), reason: LATE },
  '/to-data': { act: redirect('Location: data:image/png,x\r\n'), reason: /redirects to an address that/ },
  '/to-script': { act: redirect('Location: javascript:1\r\n'), reason: /redirects to an address that/ },
  '/to-other-port': {
    act: redirect('Location: http://127.0.0.1:9/secret\r\n'),
    reason: /redirects to an address that is not served over https/,
  },
  '/to-other-host': {
    act: redirect('Location: https://internal.example/secret\r\n'),
    reason: /redirects to an address that is on internal\.example/,
  },
  '/to-own-file': { act: redirect('Location: file:///etc/passwd\r\n'), reason: /redirects to an address/ },
  '/redirects-with-endless-body': {
    act: flood('HTTP/1.1 302 Found\r\nLocation: /hangs-up\r\n\r\n', 'x'),
    reason: CUT,
  },
  '/fails-with-endless-body': {
    act: flood('HTTP/1.1 500 Broken\r\n\r\n', 'x'),
    reason: /status 500/,
  },
}

export async function startRawHost(): Promise<RawHost> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    // The client may close the connection at any time.
    socket.on('error', () => {})
    socket.once('data', (bytes) => {
      const [, path] = /^GET (\S+)/.exec(String(bytes)) ?? []
      // Bytes that are no request begin a TLS connection, which is answered in plain text.
      if (path === undefined) socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
      else RAW_WAYS[path]?.act(socket)
    })
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
