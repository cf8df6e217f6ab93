/**
 * Serves photos of the size that phones take, made from the sample's drawings, so that pages are measured with real
 * pictures.
 */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import sharp from 'sharp'
import { ROOT } from '../../../src/builder/state/project-folder.ts'

export interface PhotoServer {
  readonly origin: string
  close(): void
}

const DRAWINGS = join(ROOT, 'public/muestra')
const SIZE = { width: 1200, height: 1500 } as const

/** `/arch-blue.jpg` is the photo of `/muestra/arch-blue.svg`. */
export async function servePhotos(): Promise<PhotoServer> {
  const server = createServer(async ({ url = '' }, response) => {
    const drawing = join(DRAWINGS, `${/^\/([\w-]+)\.jpg$/.exec(url)?.[1] ?? ''}.svg`)
    if (!existsSync(drawing)) return void response.writeHead(404).end()
    const photo = await sharp(drawing).resize(SIZE).jpeg({ quality: 85 }).toBuffer()
    response.writeHead(200, { 'content-type': 'image/jpeg' }).end(photo)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
