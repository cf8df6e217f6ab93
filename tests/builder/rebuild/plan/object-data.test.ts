/** The pages that the edge makes of an object have the data of the pages that a rebuild writes in lane `assets`. */
import { createProductPage, createUnknownProductPage } from '../../../../src/domain/pages/page.ts'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { SellerData } from '../../../../src/domain/objects/object-data.ts'
import { createCataloguePage } from '../../../../src/domain/objects/object-data.ts'
import type { Pictures } from '../../../../src/builder/pictures/pictures.ts'
import { createStorelessPictures } from '../../../../src/builder/pictures/pictures.ts'
import { listObjectFiles, readObjectData } from '../../../../src/builder/rebuild/plan/object-data.ts'
import { createPageData } from '../../../../src/builder/rebuild/plan/page-data.ts'
import type { PageDataSource } from '../../../../src/builder/rebuild/plan/page-sources.ts'
import { readSellerPage } from '../../../../src/builder/rebuild/plan/seller-pages.ts'
import type { World } from '../../../../src/builder/rebuild/world.ts'
import { rebuild } from '../../../../src/builder/rebuild/rebuild.ts'
import { product, user } from '../../../support/rebuild/documents.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'
import { createWorld } from '../../../support/rebuild/world.ts'
import { parseObjectData } from '../../../../src/domain/wire/seller-body.ts'
import { formatTransformations } from '../../../../src/domain/photos/transformations.ts'
import { createSite } from '../../../support/site.ts'

const path = useTemporaryFolder()
const PHOTO = 'https://photos.example/uno.jpg'
const PICTURE = {
  type: 'image/avif',
  sources: [{ path: 'fotos/uno.avif', width: 320 }],
  tone: 1,
  fallback: 'fotos/uno-small.jpg',
}
const LARGE = [{ path: 'fotos/uno-1080.avif', width: 1080 }]
const PREVIEW = { path: 'fotos/uno.jpg', width: 600, height: 600, sources: LARGE }

const PICTURES: Pictures = {
  ...createStorelessPictures({}),
  find: () => ({ photos: { [PHOTO]: PICTURE }, social: 'social/ana.png' }),
  findPreview: (photo) => (photo === PHOTO ? PREVIEW : null),
  findHome: () => 'social/home.png',
}

let world: World
let data: PageDataSource
beforeEach(async () => {
  const documents = [
    user('ana', 'Ana', ''),
    product('b', 'ana', { name: 'Álamo', photo: PHOTO }),
    product('a', 'ana', { name: 'Zeta', photo: '/gone.svg' }),
    product('c', 'ana', { name: 'alfa' }),
    product('d', 'eva'),
    user('1'),
  ]
  world = createWorld({ folder: path(), documents, lane: 'objects' })
  await rebuild(world)
  data = {
    snapshot: world.state.snapshot,
    pictures: PICTURES,
    publicFiles: new Set(),
    site: createSite(),
  }
})
afterEach(() => [world.state.snapshot, world.state.record].forEach((one) => one.close()))

function readSeller(name: string): Extract<SellerData, { kind: 'seller' }> {
  const found = readObjectData(data, name)
  if (found?.kind !== 'seller') throw new Error(`${name} has no data`)
  return found
}

it('makes the same catalogue, products and page for unknown products', () => {
  const seller = readSeller('ana')
  const pages = [
    [createCataloguePage(seller), { kind: 'catalogue', product: null }],
    [createProductPage(seller, 'a'), { kind: 'product', product: 'a' }],
    [createProductPage(seller, 'b'), { kind: 'product', product: 'b' }],
    [createUnknownProductPage(seller), { kind: 'unknown-product', product: null }],
  ] as const
  for (const [page, key] of pages) {
    if (page === null) throw new Error('the page is missing')
    expect(createPageData(page, data.site)).toEqual(readSellerPage(data, { ...key, seller: 'ana' }))
  }
})

it('has products in the order of their ids, whether the seller has a profile, and her last update', () => {
  expect(readSeller('ana').catalogue.products.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  expect([readSeller('ana').hasProfile, readSeller('eva').hasProfile]).toEqual([true, false])
  expect(readSeller('ana').updated).toBe(world.state.snapshot.readUpdated('ana'))
})

it('is nothing for an unknown seller', () => {
  expect(readObjectData(data, 'nobody')).toBeNull()
})

it('shows the whole photo on the page of a product, also of a picture that the edge makes', () => {
  const seller = readSeller('ana')
  expect(createProductPage(seller, 'b')?.picture).toEqual({ type: 'image/avif', sources: LARGE, tone: 1 })
  const small = { ...seller, previews: {} }
  expect(createProductPage(small, 'b')?.picture).toEqual(PICTURE)
  const pictures = { photos: { [PHOTO]: formatTransformations(PHOTO) }, social: null }
  const widths = createProductPage({ ...small, pictures }, 'b')?.picture?.sources.map(({ width }) => width)
  expect(widths).toEqual([720, 1080])
})

it('is accepted by the edge', () => {
  const seller = readSeller('ana')
  expect(parseObjectData({ name: 'ana', data: seller })).toEqual(seller)
})

it('names the picture files that its pages show', () => {
  expect(listObjectFiles(readSeller('ana'))).toEqual([
    'fotos/uno.avif',
    'fotos/uno-small.jpg',
    'fotos/uno.jpg',
    'fotos/uno-1080.avif',
    'social/ana.png',
  ])
})
