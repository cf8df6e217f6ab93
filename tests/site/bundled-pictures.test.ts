/** The bundled pictures: the photos of the sample, and the icons. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { THIRTY } from '../support/run/sample-catalogues.ts'
import { ROOT } from '../../src/builder/files/project-folder.ts'

const PUBLIC = join(ROOT, 'public')
const MASKABLE = 'icon-maskable-512.png'

it('the sample shows photos of other shapes, and on white, at the start of its catalogue', () => {
  const shown = THIRTY.products.slice(0, 8).map(({ photo, available }) => ({ photo, available }))
  for (const kind of ['square', 'wide', 'white']) {
    const photo = expect.stringContaining(`/muestra/${kind}-`)
    expect(shown).toContainEqual({ photo, available: true })
  }
  expect(shown).toContainEqual({ photo: expect.stringContaining('/muestra/white-'), available: false })
})

it('the site has a mark that survives any mask: all of it lies within 40 % of the middle', async () => {
  const { data, width } = await readPixels(join(PUBLIC, MASKABLE))
  const ground = [...data.subarray(0, 4)]
  expect(ground[3]).toBe(255)
  const isGround = (at: number): boolean =>
    ground.every((value, channel) => Math.abs(value - (data[at * 4 + channel] ?? 0)) <= 4)
  const distances = Array.from({ length: width * width }, (_, at) => at)
    .filter((at) => !isGround(at))
    .map((at) => Math.hypot((at % width) + 0.5 - width / 2, Math.floor(at / width) + 0.5 - width / 2))
  expect(distances.reduce((one, other) => Math.max(one, other), 0)).toBeLessThan(width * 0.4)
  expect(distances.length).toBeGreaterThan(width * width * 0.1)
})

it('the site has an icon of three sizes for browsers that ask for /favicon.ico', async () => {
  const ico = readFileSync(join(PUBLIC, 'favicon.ico'))
  expect([ico.readUInt16LE(0), ico.readUInt16LE(2), ico.readUInt16LE(4)]).toEqual([0, 1, 3])
  for (const [index, size] of [16, 32, 48].entries()) {
    const entry = ico.subarray(6 + 16 * index)
    const [length, start] = [entry.readUInt32LE(8), entry.readUInt32LE(12)]
    const { format, width, height } = await sharp(ico.subarray(start, start + length)).metadata()
    expect([entry[0], entry[1], format, width, height]).toEqual([size, size, 'png', size, size])
  }
})

async function readPixels(file: string): Promise<{ data: Buffer; width: number }> {
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width }
}
