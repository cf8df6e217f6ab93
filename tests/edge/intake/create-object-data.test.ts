/** The Worker makes the same data from documents as a builder does: the sample, hostile and random ones, in each mode of pictures. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { HOSTILE_IDS, HOSTILE_PRODUCTS, HOSTILE_PROFILES } from '../../support/edge/hostile.ts'
import { createStorelessPictures } from '../../../src/builder/pictures/pictures.ts'
import { readObjectData } from '../../../src/builder/rebuild/plan/object-data.ts'
import { openSnapshot } from '../../../src/builder/state/snapshot/open-snapshot.ts'
import type { Collection, SourceDocument } from '../../../src/domain/documents/document.ts'
import { COLLECTIONS } from '../../../src/domain/documents/document.ts'
import { DEFAULT_MAX_PRODUCTS, LEAST_MAX_PRODUCTS } from '../../../src/domain/catalogue/product-limit.ts'
import type { DataFacts, PictureFacts } from '../../../src/domain/objects/data-facts.ts'
import type { MadePictures } from '../../../src/domain/objects/find-pictures.ts'
import { createPictureFinder } from '../../../src/domain/objects/find-pictures.ts'
import type { SellerData } from '../../../src/domain/objects/object-data.ts'
import { formatObjectData } from '../../../src/domain/objects/object-data.ts'
import { createSellerObject, findOtherSellers } from '../../../src/edge/intake/create-object-data.ts'
import { product, user } from '../../support/rebuild/documents.ts'
import { takeWhole } from '../../support/edge/items.ts'
import { ROOT } from '../../../src/builder/state/project-folder.ts'
import { ANY_CHARACTER } from '../../support/run/any-character.ts'
import { createSite } from '../../support/site.ts'

const HOSTS = { names: ['photos.example'], origins: ['http://127.0.0.1:9000'] }
const PUBLIC = ['fotos/rosa.png', 'foto ñ.png', 'dibujo.svg']

const PICTURES: readonly PictureFacts[] = (['files', 'service', 'off'] as const).flatMap((mode) =>
  [true, false].map((makesPreviews) => ({ mode, hosts: HOSTS, makesPreviews })),
)

/** A store with pictures of half of all addresses. Their names contain the address. */
const MADE: MadePictures = {
  findPictures: (addresses) =>
    new Map(
      addresses
        .filter((address) => address.length % 2 === 0)
        .map((address) => [
          address,
          {
            type: 'image/avif',
            sources: [{ path: `fotos/${btoa(encodeURI(address))}`, width: 344 }],
            tone: 1,
          },
        ]),
    ),
  findPreview: (address) =>
    address.length % 3 === 0 ? { path: `fotos/${address.length}.jpg`, width: 2, height: 1 } : null,
  findSocial: (name) => ({ path: `social/${encodeURIComponent(name)}` }),
}

/** Returns the texts of all objects, as a builder makes them and as the Worker does. */
async function makeBoth(
  documents: readonly SourceDocument[],
  pictures: PictureFacts,
  maxProducts = DEFAULT_MAX_PRODUCTS,
): Promise<{ readonly builder: ReadonlyMap<string, string>; readonly edge: ReadonlyMap<string, string> }> {
  const snapshot = openSnapshot(':memory:')
  await takeWhole(snapshot, documents)
  snapshot.limitProducts(maxProducts)
  const finder = { ...createStorelessPictures({}), ...createPictureFinder(pictures, MADE) }
  const source = { snapshot, pictures: finder, publicFiles: new Set(PUBLIC), site: createSite() }
  const facts: DataFacts = { maxProducts, publicFiles: PUBLIC, pictures }
  const builder = new Map<string, string>()
  const edge = new Map<string, string>()
  for (const name of [...snapshot.readSellers(), ...HOSTILE_IDS]) {
    const made = readObjectData(source, name)
    builder.set(name, format(made))
    const old = made === null ? null : (JSON.parse(formatObjectData(made)) as SellerData)
    edge.set(name, format(createSellerObject(name, documents, { facts, old })))
  }
  snapshot.close()
  return { builder, edge }
}

function format(data: SellerData | null): string {
  return data === null ? 'gone' : formatObjectData(data)
}

async function compare(documents: readonly SourceDocument[], pictures: PictureFacts): Promise<void> {
  const { builder, edge } = await makeBoth(documents, pictures)
  expect(edge).toEqual(builder)
}

function readSample(collection: Collection): readonly SourceDocument[] {
  const text = readFileSync(join(ROOT, `src/builder/sources/sample/${collection}.ndjson`), 'utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => ({ updateTime: null, ...JSON.parse(line), collection }))
}

const HOSTILE: readonly SourceDocument[] = ['ana', ...HOSTILE_IDS].flatMap((owner, index) => [
  ...HOSTILE_PRODUCTS.map((create, number) => ({
    collection: 'cataloge' as const,
    id: `${index} ${number} ñ'"<`,
    updateTime: `2026-01-01T00:00:0${number % 10}+01:00`,
    data: JSON.parse(create(owner)) as unknown,
  })),
  {
    collection: 'users',
    id: owner,
    updateTime: 'yesterday',
    data: JSON.parse(HOSTILE_PROFILES[index % HOSTILE_PROFILES.length] ?? '[]') as unknown,
  },
])

it.each(PICTURES)('of the sample and of hostile documents, with the pictures %j', async (pictures) => {
  const sample = COLLECTIONS.flatMap(readSample)
  expect(sample.length).toBeGreaterThan(10)
  await compare([...sample, ...HOSTILE], pictures)
})

const owner = fc.constantFrom('1', 'ana', 'eva', '404', 'perfumería')
const text = fc.oneof(fc.constantFrom('Rosa', 'Ámbar', ' a  b '), fc.string({ unit: ANY_CHARACTER }))
const amount = fc.oneof(fc.constantFrom(0, -0, 1300, 99.5), fc.double({ noNaN: true }), fc.anything())
const decant = fc.oneof(fc.record({ price: amount, available: fc.boolean() }), fc.jsonValue())
const photo = fc.oneof(
  fc.constantFrom(
    '/fotos/rosa.png',
    '/foto%20%C3%B1.png',
    '/dibujo.svg',
    '/gone.png',
    'https://photos.example/a.jpg',
    'https://photos.example/ab.jpg',
    'http://127.0.0.1:9000/b.jpg',
    'https://elsewhere.example/c.jpg',
  ),
  fc.webUrl(),
  fc.jsonValue(),
)
const updateTime = fc.oneof(
  fc.constantFrom(null, '', 'never', '2026-01-01T00:00:00.123456789Z'),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
)
const field = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(value, { nil: undefined, freq: 9 })
const productData = fc.record({
  name: field(fc.oneof({ weight: 9, arbitrary: text }, { weight: 1, arbitrary: fc.jsonValue() })),
  photo: field(photo),
  price: field(amount),
  available: field(fc.oneof(fc.boolean(), fc.jsonValue())),
  _5ml: field(decant),
  _10ml: field(decant),
  owner: field(fc.record({ id: owner })),
})
const profileData = fc.record({ fName: field(text), lName: field(text), whatsapp: field(fc.jsonValue()) })
const anyDocument: fc.Arbitrary<SourceDocument> = fc.oneof(
  fc.record({
    collection: fc.constant('cataloge' as const),
    id: fc.oneof(fc.constantFrom('p', 'q', '404'), fc.string({ minLength: 1, unit: 'grapheme' })),
    updateTime,
    data: fc.oneof({ weight: 9, arbitrary: productData }, { weight: 1, arbitrary: fc.jsonValue() }),
  }),
  fc.record({ collection: fc.constant('users' as const), id: owner, updateTime, data: profileData }),
)

it('of random documents, some of which occur more than once', async () => {
  const documents = fc.array(anyDocument, { maxLength: 30, size: 'max' })
  const property = fc.asyncProperty(documents, fc.constantFrom(...PICTURES), compare)
  await fc.assert(property, { numRuns: 60 })
})

it('of a seller with more products than are shown', async () => {
  const ids = [
    '\u{1f600}',
    '\uff5e',
    'é',
    'a',
    'A',
    ...Array.from({ length: 130 }, (_, index) => `p${index}`),
  ]
  const documents = [user('bad'), ...ids.map((id) => product(id, 'bad')), product('a1', 'ana')]
  const pictures: PictureFacts = { mode: 'off', hosts: HOSTS, makesPreviews: true }
  for (const most of [LEAST_MAX_PRODUCTS, ids.length - 1, ids.length]) {
    const { builder, edge } = await makeBoth(documents, pictures, most)
    expect(edge).toEqual(builder)
  }
})

it('keeps the pictures of known photos only, and none of a photo whose host is not listed any more', () => {
  const files: DataFacts = {
    maxProducts: DEFAULT_MAX_PRODUCTS,
    publicFiles: [],
    pictures: { mode: 'files', hosts: HOSTS, makesPreviews: true },
  }
  const known = 'https://photos.example/ab.jpg'
  const documents = [product('p', 'ana', { photo: known })]
  const first = createSellerObject('ana', documents, { facts: files, old: null })
  if (first === null) throw new Error('ana has a product')
  const pictures = {
    photos: { [known]: { type: null, sources: [], tone: null } },
    social: 'social/ana.png',
  }
  const preview = { path: 'fotos/p.jpg', width: 1, height: 1 }
  const old = { ...first, pictures, previews: { [known]: preview } }
  const both = [...documents, product('q', 'ana', { photo: 'https://photos.example/new.jpg' })]
  expect(createSellerObject('ana', both, { facts: files, old })).toMatchObject({
    pictures,
    previews: old.previews,
  })
  const unlisted = { ...files, pictures: { ...files.pictures, hosts: { names: [], origins: [] } } }
  expect(createSellerObject('ana', both, { facts: unlisted, old })).toMatchObject({
    pictures: { photos: {}, social: 'social/ana.png' },
    previews: {},
  })
  expect(createSellerObject('ana', [user('ana')], { facts: files, old })?.pictures.social).toBeNull()
})

it('names other sellers only if their pages show the document', () => {
  const documents = [
    product('p', 'eva'),
    product('q', '404'),
    product('r', 'luz', { name: '' }),
    product('s', 'ana'),
  ]
  expect(findOtherSellers('ana', documents)).toEqual(['eva'])
})
