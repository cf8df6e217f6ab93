/** A photo host on this machine, whose photos never change. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { drawPhoto } from './proof-photos.ts'

export interface StoryPhotoHost {
  readonly origin: string
  /** Addresses on it: photos, and what is none. */
  readonly addresses: readonly string[]
  close(): void
}

const MISSING = '/missing.jpg'

export async function startStoryPhotoHost(): Promise<StoryPhotoHost> {
  const files = new Map<string, Uint8Array | string>([
    ['/olive.jpg', await drawPhoto('olive')],
    ['/plum.jpg', await drawPhoto('plum')],
    ['/text.jpg', 'no photo at all'],
  ])
  const server = createServer(({ url = '' }, response) => {
    const bytes = files.get(url)
    if (bytes === undefined) response.statusCode = 404
    response.end(bytes)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const paths = [...files.keys(), MISSING]
  return {
    origin,
    addresses: paths.map((path) => origin + path),
    close: () => void server.close(),
  }
}
