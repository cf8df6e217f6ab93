import { expect, it } from 'vitest'
import { formatMarker } from '../../../src/domain/wire/site-marker.ts'
import type { SiteFiles } from '../../../src/edge/coordinator/read-live.ts'
import { readLive } from '../../../src/edge/coordinator/read-live.ts'

const COUNTS = { sellers: 1, products: 2, largest: 2 }
const MARKER = { run: 'run', state: 'closed', time: '', renderer: '', ...COUNTS } as const

function createAssets(status: number, body: string): SiteFiles {
  return { ASSETS: { fetch: async () => new Response(body, { status }) } }
}

function createBucket(text: string | null): SiteFiles {
  return { FILES: { get: async () => (text === null ? null : { text: async () => text }) } }
}

it.each<[string, SiteFiles, typeof MARKER | null]>([
  ['assets', createAssets(200, formatMarker(MARKER)), MARKER],
  ['assets without a marker', createAssets(404, 'not found'), null],
  ['assets with something else', createAssets(200, '{}'), null],
  ['a bucket', createBucket(formatMarker(MARKER)), MARKER],
  ['a bucket without a marker', createBucket(null), null],
])('the marker of the live site is read from %s', async (_, files, marker) => {
  expect(await readLive(files)).toEqual(marker)
})

it('files that cannot be read are not taken for a site without a marker', async () => {
  await expect(readLive(createAssets(503, ''))).rejects.toThrow('503')
})
