/** The shop's mark as bitmaps, for systems that do not show SVG. */
import sharp from 'sharp'
import { drawFavicon, drawFullMark } from './marks.ts'

/** Returns the files by path within the public folder. */
export async function drawIcons(): Promise<Readonly<Record<string, Uint8Array>>> {
  const [mark, full] = [drawFavicon(), drawFullMark(1)]
  return {
    'icon-192.png': await drawPng(mark, 192),
    'icon-512.png': await drawPng(mark, 512),
    // Systems cut these to a shape of their own: https://w3c.github.io/manifest/#icon-masks
    'icon-maskable-512.png': await drawPng(drawFullMark(0.85), 512),
    'apple-touch-icon.png': await drawPng(full, 180),
    'favicon.ico': formatIco(
      await Promise.all([16, 32, 48].map(async (size) => ({ size, png: await drawPng(mark, size) }))),
    ),
  }
}

async function drawPng(svg: string, size: number): Promise<Buffer> {
  const density = (72 * size) / 32
  return sharp(Buffer.from(svg), { density })
    .resize(size, size)
    .png({ palette: true, compressionLevel: 9 })
    .toBuffer()
}

const HEAD = 6
const ENTRY = 16

// Source: https://learn.microsoft.com/en-us/previous-versions/ms997538(v=msdn.10)
function formatIco(pictures: readonly { readonly size: number; readonly png: Buffer }[]): Buffer {
  const head = Buffer.alloc(HEAD + ENTRY * pictures.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(pictures.length, 4)
  let offset = head.length
  for (const [index, { size, png }] of pictures.entries()) {
    const at = HEAD + ENTRY * index
    head.set([size, size], at)
    head.writeUInt16LE(1, at + 4)
    head.writeUInt16LE(32, at + 6)
    head.writeUInt32LE(png.length, at + 8)
    head.writeUInt32LE(offset, at + 12)
    offset += png.length
  }
  return Buffer.concat([head, ...pictures.map(({ png }) => png)])
}
