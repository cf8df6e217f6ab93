import { expect, it } from 'vitest'
import { createMemoryStore } from '../../support/edge/memory-store.ts'
import { createCatalogue } from '../../../src/domain/catalogue/catalogue.ts'
import { digestText } from '../../../src/domain/objects/digest.ts'
import { createSellerData, FORMAT, formatObjectData } from '../../../src/domain/objects/object-data.ts'
import { NO_PICTURES } from '../../../src/domain/photos/picture.ts'
import { parseNotes } from '../../../src/edge/objects/object-notes.ts'
import { formatTombstone, parsePageObject } from '../../../src/edge/objects/page-object.ts'
import { createTombstone, renderObject } from '../../../src/edge/objects/render-object.ts'
import { describeObjectStore } from '../../support/edge/object-store-contract.ts'
import { createEdgeRenderer } from '../../support/edge/edge-renderer.ts'

describeObjectStore(() => ({ store: createMemoryStore(), prefix: 'sellers/00/' }))

const DATA = createSellerData(createCatalogue('ana', null, []), {
  pictures: NO_PICTURES,
  previews: {},
  hasProfile: false,
  updated: '2026-01-01T00:00:00Z',
})
const OPTIONS = { version: 3, intake: 'intake', renderer: createEdgeRenderer() }

it('reads back the data, the page and the facts of an object', async () => {
  const { bytes } = await renderObject(DATA, OPTIONS)
  const object = parsePageObject(bytes)
  if (object.kind === 'gone') throw new Error('it is a page')
  const { html, readData, readDataText, ...facts } = object
  expect(facts).toEqual({
    kind: 'page',
    version: 3,
    format: FORMAT,
    intake: 'intake',
    code: 'one',
    policy: 'policy of one',
    etag: expect.stringMatching(/^[\da-f]{32}$/),
  })
  expect(new TextDecoder().decode(html)).toMatch(/^one {"kind":"catalogue"/)
  expect(readData()).toEqual(DATA)
  expect(readDataText()).toBe(formatObjectData(DATA))
})

it('notes what a list of objects shows', async () => {
  const { notes } = await renderObject(DATA, OPTIONS)
  expect(parseNotes({ notes })).toEqual({
    version: 3,
    digest: await digestText(formatObjectData(DATA)),
    intake: 'intake',
    start: expect.any(Number),
    products: 0,
    hasProfile: false,
    updated: '2026-01-01T00:00:00Z',
  })
})

it('gives equal data of another version other bytes with the same page and tag of the page', async () => {
  const [one, other] = await Promise.all(
    [1, 2].map(async (version) => (await renderObject(DATA, { ...OPTIONS, version })).bytes),
  )
  expect(one).not.toEqual(other)
  const pages = [one, other].map((bytes) => parsePageObject(bytes ?? new Uint8Array()))
  expect(pages[0]).toMatchObject({ version: 1, etag: (pages[1] as { etag?: string }).etag })
})

it('keeps neither data nor a page of a seller that is gone', () => {
  const { bytes, notes } = createTombstone(7)
  expect(parsePageObject(bytes)).toEqual({ kind: 'gone', version: 7 })
  expect(parseNotes({ notes })).toMatchObject({ version: 7, digest: null, products: 0 })
  expect(formatTombstone({ version: 8 })).not.toEqual(bytes)
})

it.each(['', 'no object', '\n', '{"kind":"home"}\n', '{"version"\n', '[]\n'])(
  'refuses the bytes %j',
  (text) => {
    expect(() => parsePageObject(new TextEncoder().encode(text))).toThrow('not a page object')
  },
)
