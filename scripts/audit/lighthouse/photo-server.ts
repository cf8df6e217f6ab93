/**
 * Serves photos of the size that phones take, made from the sample's drawings, so that pages are measured with real
 * pictures.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { ROOT } from '../../../src/builder/state/project-folder.ts'
import { LocalServer } from '../../local/local-server.ts'

const DRAWINGS = join(ROOT, 'public/muestra')
const SIZE = { width: 1200, height: 1500 } as const

/** `/arch-blue.jpg` is the photo of `/muestra/arch-blue.svg`. */
export function servePhotos(): Promise<LocalServer> {
  const server = new LocalServer(async ({ url = '' }, response) => {
    const drawing = join(DRAWINGS, `${/^\/([\w-]+)\.jpg$/.exec(url)?.[1] ?? ''}.svg`)
    if (!existsSync(drawing)) return void response.writeHead(404).end()
    const photo = await sharp(drawing).resize(SIZE).jpeg({ quality: 85 }).toBuffer()
    response.writeHead(200, { 'content-type': 'image/jpeg' }).end(photo)
  })
  return server.start()
}
