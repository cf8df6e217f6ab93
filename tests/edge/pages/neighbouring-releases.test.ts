/** Builders and Workers of neighbouring releases understand each other: one knows a field more than the other. */
import { beforeEach, describe, expect, it } from 'vitest'
import { digestText } from '../../../src/domain/objects/digest.ts'
import type { SellerData } from '../../../src/domain/objects/object-data.ts'
import { formatObjectData } from '../../../src/domain/objects/object-data.ts'
import { formatObjectKey } from '../../../src/domain/objects/object-key.ts'
import type { ScreenPage } from '../../../src/domain/pages/page.ts'
import { OBJECT_CALLS } from '../../../src/domain/wire/object-calls.ts'
import { parseBody } from '../../../src/domain/wire/call.ts'
import { parseObjectData } from '../../../src/domain/wire/seller-body.ts'
import { listTags } from '../../../src/edge/objects/list-tags.ts'
import type { EdgeRenderer } from '../../../src/edge/objects/edge-renderer.ts'
import { acceptObjects } from '../../../src/edge/objects/push-objects.ts'
import { viewObject } from '../../../src/edge/pages/view-object.ts'
import { createEdgeRenderer } from '../../support/edge/edge-renderer.ts'
import type { MemoryHost } from '../../support/edge/object-host.ts'
import { createMemoryHost, createHostProduct, createHostSeller } from '../../support/edge/object-host.ts'

const PHOTO = 'https://photos.example/uno.jpg'
const SOURCES = [{ path: 'fotos/uno.avif', width: 320 }]

/** Data of a release that knows `fallback` and the large sources of a preview. */
const DATA: SellerData = {
  ...createHostSeller('ana', [{ ...createHostProduct('p'), photo: PHOTO }]),
  pictures: {
    photos: { [PHOTO]: { type: 'image/avif', sources: SOURCES, tone: 1, fallback: 'fotos/uno-small.jpg' } },
    social: null,
  },
  previews: { [PHOTO]: { path: 'fotos/uno.jpg', width: 600, height: 600, sources: SOURCES } },
}

/** The same from the release before. */
const LESS: SellerData = {
  ...DATA,
  pictures: { photos: { [PHOTO]: { type: 'image/avif', sources: SOURCES, tone: 1 } }, social: null },
  previews: { [PHOTO]: { path: 'fotos/uno.jpg', width: 600, height: 600 } },
}

/** The same from the release after, which has fields more in every part. */
const MORE = addFields(DATA) as SellerData

function addFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(addFields)
  if (typeof value !== 'object' || value === null) return value
  const parts = Object.entries(value).map(([key, part]) => [key, addFields(part)])
  const isByAddress = PHOTO in value
  return { ...Object.fromEntries(parts), ...(!isByAddress && { later: 'a field of the release after' }) }
}

/** Shows what this release knows of the page. */
function createRelease(code: string): EdgeRenderer {
  const show = (page: ScreenPage): string => {
    if (page.kind === 'product')
      return `${page.product.name}: ${page.picture?.sources.length}, ${page.picture?.fallback}`
    return page.kind === 'catalogue' ? page.catalogue.products.map(({ price }) => price).join() : page.kind
  }
  return createEdgeRenderer(code, show)
}

let host: MemoryHost
beforeEach(() => {
  host = createMemoryHost(createRelease('this'))
})

/** The door of the Worker parses the data before it is pushed. */
async function push(body: SellerData, to = host): Promise<string> {
  const data = parseObjectData({ name: 'ana', data: JSON.parse(JSON.stringify(body)) })
  if (data !== null && 'problem' in data) return data.problem
  const { objects } = await listTags({ names: ['ana'] }, to)
  const pushed = [{ name: 'ana', tag: objects[0]?.tag ?? null, data }]
  const { results } = await acceptObjects(
    { format: 1, intake: '', objects: pushed, isShrinkAllowed: false },
    to,
  )
  return results[0]?.outcome ?? ''
}

async function view(product: string | null, renderer = host.renderer): Promise<string> {
  const content = await viewObject(
    await host.store.get(await formatObjectKey('ana')),
    {
      key: { kind: product === null ? 'catalogue' : 'product', seller: 'ana', product },
      status: 200,
      address: '/catalogo/ana',
    },
    {
      renderer,
      cache: { read: async () => null, keep: async (_, entry) => entry, forget: async () => {} },
      now: () => 0,
      later: () => {},
      log: host.log,
    },
  )
  return content.kind === 'body' ? new TextDecoder().decode(content.body) : content.kind
}

describe('a Worker takes the data of a builder', () => {
  it.each([
    ['of its own release', DATA, 'this Perfume p: 1, undefined'],
    ['of the release before', LESS, 'this Perfume p: 1, undefined'],
    ['of the release after', MORE, 'this Perfume p: 1, undefined'],
  ])('%s', async (_, data, page) => {
    expect(await push(data)).toBe('stored')
    expect([await view(null), await view('p')]).toEqual(['this 100', page])
    // So a comparison finds nothing to send.
    const { objects } = await listTags({ names: ['ana'] }, host)
    expect(objects[0]?.digest).toBe(await digestText(formatObjectData(data)))
  })

  it('but none that lacks a field of the first release', async () => {
    const { hasProfile: _, ...lacking } = DATA
    expect(await push(lacking as SellerData)).toContain('the data is malformed at hasProfile')
  })
})

it('a rollback shows the newest data, with fields that it does not know, in the old markup', async () => {
  const next = { ...host, renderer: createRelease('next') }
  await push(DATA)
  const { catalogue } = MORE
  const newest = { ...catalogue, products: catalogue.products.map((one) => ({ ...one, price: 250 })) }
  expect(await push({ ...MORE, catalogue: newest }, next)).toBe('stored')
  expect([await view(null, next.renderer), await view(null)]).toEqual(['next 250', 'this 250'])
  expect(await view('p')).toBe('this Perfume p: 1, undefined')
})

it('data of other code that cannot be read is shown as it was stored', async () => {
  const next = { ...host, renderer: createRelease('next') }
  const prices = { ...DATA.catalogue, products: [{ ...createHostProduct('p'), price: -1 }] }
  const objects = [{ name: 'ana', tag: null, data: { ...DATA, catalogue: prices } }]
  await acceptObjects({ format: 1, intake: '', objects, isShrinkAllowed: false }, next)
  expect([await view(null), await view('p')]).toEqual(['next -1', 'elsewhere'])
  expect(host.lines[0]).toContain('the data is malformed at catalogue.products.0.price')
})

it('a builder takes the answers of a Worker of the release after', () => {
  const tag = { name: 'ana', tag: 'x', version: 1, digest: null, intake: null }
  const worker = { code: 'c', intake: 'i', format: 1 }
  const body = addFields({ worker, objects: [tag], next: null })
  expect(parseBody(OBJECT_CALLS.readTags.answer, body)).toEqual({ worker, objects: [tag], next: null })
  const results = [{ name: 'ana', outcome: 'stored', tag: 'x', version: 2 }]
  expect(parseBody(OBJECT_CALLS.push.answer, addFields({ results }))).toEqual({ results })
})
