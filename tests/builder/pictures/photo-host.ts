/** A local photo host with the failures of real ones. */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { vi } from 'vitest'
import { FETCH_LIMITS } from '../../../src/builder/pictures/open-pictures.ts'
import { LONGEST_TIME } from '../../support/run/values.ts'

export interface PhotoHost {
  readonly origin: string
  /** Requested paths, in order. */
  readonly asked: readonly string[]
  /** Replaces the bytes of a path, or adds a path. */
  put(path: string, bytes: Uint8Array): void
  close(): Promise<void>
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void

/** Lets each photo arrive as late as a busy machine sends it, until mocks are restored. */
export function liftFetchLimit(): void {
  vi.spyOn(FETCH_LIMITS, 'time', 'get').mockReturnValue(LONGEST_TIME)
}

const MB = 1024 * 1024

/** Paths that fail, each with the reason. */
export const HOSTILE: Readonly<Record<string, RegExp>> = {
  '/silent': /did not arrive/,
  '/endless': /did not arrive|larger than/,
  '/huge': /larger than 24 MB/,
  '/unannounced': /larger than 24 MB/,
  '/bomb.png': /has 20000 × 20000 pixels/,
  '/page.jpg': /not a JPEG/,
  '/drawing.jpg': /not a JPEG/,
  '/half.jpg': /cannot be decoded/,
  '/packed.jpg': /has a content encoding/,
  '/to-other-port':
    /redirects to an address that .*PHOTO_HOSTS|redirects to an address that is not served over https/,
  '/to-other-host': /redirects to an address that is on internal\.example/,
  '/to-file': /redirects to an address that/,
  '/in-circles': /more than 3 redirects/,
  '/missing': /status 404/,
  '/broken': /status 500/,
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
  const answers = createAnswers(await createPhoto('#123456'))
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://host.invalid')
    asked.push(pathname)
    const bytes = files.get(pathname)
    if (bytes !== undefined) sendFile(bytes, response, request)
    else (answers[pathname] ?? answers['/missing'])?.(response, request)
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

function createAnswers(photo: Uint8Array): Readonly<Record<string, Answer>> {
  const redirect =
    (location: string): Answer =>
    (response) =>
      response.writeHead(302, { location }).end()
  const send =
    (bytes: Uint8Array, headers: Record<string, string> = {}): Answer =>
    (response) =>
      response.writeHead(200, headers).end(bytes)
  return {
    '/silent': () => {},
    '/endless': (response) => {
      const timer = setInterval(() => response.write('x'), 50)
      response.on('close', () => clearInterval(timer))
    },
    '/huge': (response) => response.writeHead(200, { 'content-length': `${40 * MB}` }).write('x'),
    '/unannounced': send40MB,
    '/bomb.png': send(createBomb(20_000)),
    '/page.jpg': send(Buffer.from('<!doctype html><title>404</title>')),
    '/drawing.jpg': send(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')),
    '/half.jpg': send(photo.subarray(0, photo.length / 2)),
    '/packed.jpg': send(photo, { 'content-encoding': 'gzip' }),
    '/to-other-port': redirect('http://127.0.0.1:9/secret'),
    '/to-other-host': redirect('https://internal.example/secret'),
    '/to-file': redirect('file:///etc/passwd'),
    '/in-circles': redirect('/in-circles'),
    '/missing': (response) => response.writeHead(404).end(),
    '/broken': (response) => response.writeHead(500).end(),
  }
}

const send40MB: Answer = (response) => {
  const chunk = Buffer.alloc(MB)
  let left = 40
  const write = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= 1
      if (!response.write(chunk)) return
    }
    response.end()
  }
  response.on('drain', write)
  write()
}

function sendFile(bytes: Uint8Array, response: ServerResponse, request: IncomingMessage): void {
  const etag = `"${crc32(bytes)}"`
  if (request.headers['if-none-match'] === etag) response.writeHead(304).end()
  else response.writeHead(200, { etag }).end(bytes)
}

/** A small file that decodes to many pixels. Source: https://www.w3.org/TR/png/#5Chunk-layout */
function createBomb(size: number): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const pixels = deflateSync(Buffer.alloc(size * (size / 8 + 1)))
  const parts = [createChunk('IHDR', header), createChunk('IDAT', pixels), createChunk('IEND', Buffer.of())]
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts])
}

function createChunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}
