/** A local photo host. `raw-host.ts` is one with all failures. */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'

export interface PhotoHost {
  readonly origin: string
  /** Requested paths, in order. */
  readonly asked: readonly string[]
  /** Replaces the bytes of a path, or adds a path. */
  put(path: string, bytes: Uint8Array): void
  close(): Promise<void>
}

/** Paths that fail. Those that are not here are missing. */
const ANSWERS: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
  '/silent': () => {},
  '/page.jpg': (response) => response.end('<!doctype html><title>404</title>'),
  '/to-other-port': (response) => response.writeHead(302, { location: 'http://127.0.0.1:9/secret' }).end(),
}

/** A photo of one colour. Different colours give different bytes. */
export function createPhoto(colour: string, width = 900, height = 1200): Promise<Uint8Array> {
  return sharp({ create: { width, height, channels: 3, background: colour } })
    .jpeg()
    .toBuffer()
}

export async function startPhotoHost(): Promise<PhotoHost> {
  const files = new Map<string, Uint8Array>()
  const asked: string[] = []
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://host.invalid')
    asked.push(pathname)
    const bytes = files.get(pathname)
    if (bytes !== undefined) sendFile(bytes, response, request)
    else if (ANSWERS[pathname] !== undefined) ANSWERS[pathname](response)
    else response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    put: (path, bytes) => files.set(path, bytes),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function sendFile(bytes: Uint8Array, response: ServerResponse, request: IncomingMessage): void {
  const etag = `"${crc32(bytes)}"`
  if (request.headers['if-none-match'] === etag) response.writeHead(304).end()
  else response.writeHead(200, { etag }).end(bytes)
}
