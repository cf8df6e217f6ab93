/** The reads of a task: the same data as the snapshot's own reads, with one query for a seller with several pages. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTaskReads } from '../../../../src/builder/rebuild/render/task-reads.ts'
import { openSnapshot } from '../../../../src/builder/state/snapshot/open-snapshot.ts'
import type { PictureFinder } from '../../../../src/domain/pages/find-pictures.ts'
import { createMadeFinder } from '../../../../src/domain/pages/find-pictures.ts'
import type { Picture } from '../../../../src/domain/photos/picture.ts'
import type { Snapshot } from '../../../../src/builder/state/snapshot/snapshot.ts'
import type { Catalogue } from '../../../../src/domain/catalogue/catalogue.ts'
import type { SellerPageKey } from '../../../../src/domain/documents/page-table.ts'
import { LEAST_MAX_PRODUCTS } from '../../../../src/domain/catalogue/product-limit.ts'
import { takeWhole } from '../../../support/edge/items.ts'
import { product, user } from '../../../support/rebuild/documents.ts'

const list = (seller: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${seller}${index}`)

const SELLERS = { ana: list('ana', 6), eva: list('eva', 12), mala: list('mala', LEAST_MAX_PRODUCTS + 3) }

let snapshot: Snapshot
let reads: string[]
beforeEach(async () => {
  reads = []
  snapshot = openSnapshot(':memory:')
  snapshot.waits.beginRun()
  const documents = Object.entries(SELLERS).flatMap(([seller, products]) => [
    user(seller, `Tienda ${seller}`, '8095550100'),
    ...products.map((id) => product(id, seller)),
  ])
  await takeWhole(snapshot, documents)
})
afterEach(() => snapshot.close())

// Photos of all products but one have a picture.
const pictures = createMadeFinder(
  { hosts: { names: ['photos.example'], origins: [] }, makesPreviews: false },
  {
    findPictures: (addresses) => {
      reads.push(`pictures of ${addresses.length}`)
      const made = addresses.filter((address) => !address.includes('ana3'))
      return new Map(made.map((address) => [address, createPicture(address)]))
    },
    findPreview: () => null,
    findSocial: (seller) => ({ path: `fotos/${seller}.jpg` }),
  },
)

function createPicture(address: string): Picture {
  return { type: 'image/avif', sources: [{ path: `fotos/${address.slice(-8)}`, width: 320 }], tone: null }
}

function createCounted(pages: readonly SellerPageKey[]): Snapshot & { readonly pictures: PictureFinder } {
  const note = <Given extends readonly string[], T>(name: string, read: (...given: Given) => T) => {
    return (...given: Given): T => {
      reads.push([name, ...given].join(' '))
      return read(...given)
    }
  }
  const { readCatalogue, readProduct } = snapshot
  const counted = {
    ...snapshot,
    readCatalogue: note('catalogue', readCatalogue),
    readProduct: note('product', readProduct),
  }
  const own = createTaskReads({ snapshot: counted, pictures }, pages)
  return { ...own.snapshot, pictures: own.pictures }
}

const createPages = (seller: string, products: readonly string[]): readonly SellerPageKey[] =>
  products.map((id) => ({ kind: 'product', seller, product: id }))

it('the pages of a seller read her once', () => {
  const { readProduct, readCatalogue } = createCounted(createPages('ana', SELLERS.ana))
  expect(SELLERS.ana.map((id) => readProduct('ana', id))).toEqual(
    SELLERS.ana.map((id) => snapshot.readProduct('ana', id)),
  )
  expect(readCatalogue('ana')).toEqual(snapshot.readCatalogue('ana'))
  expect(reads).toEqual(['catalogue ana'])
})

it('few pages of a seller with many products read these products only', () => {
  const { readProduct } = createCounted(createPages('eva', ['eva1', 'eva2']))
  expect(readProduct('eva', 'eva1')).toEqual(snapshot.readProduct('eva', 'eva1'))
  expect(readProduct('eva', 'eva2')).toEqual(snapshot.readProduct('eva', 'eva2'))
  expect(reads).toEqual(['product eva eva1', 'product eva eva2'])
})

it('sellers are not confused with each other', () => {
  const pages = [...createPages('ana', SELLERS.ana), ...createPages('eva', SELLERS.eva)]
  const { readProduct } = createCounted(pages)
  for (const [seller, id] of [
    ['ana', 'ana1'],
    ['eva', 'eva1'],
    ['ana', 'ana2'],
  ] as const)
    expect(readProduct(seller, id)).toEqual(snapshot.readProduct(seller, id))
  expect(reads).toEqual(['catalogue ana', 'catalogue eva', 'catalogue ana'])
})

it('a product that is gone, or of another seller, is not found', () => {
  const { readProduct } = createCounted(createPages('ana', [...SELLERS.ana, 'gone', 'eva1']))
  expect(readProduct('ana', 'gone')).toBeNull()
  expect(readProduct('ana', 'eva1')).toBeNull()
  expect(createCounted(createPages('gone', ['p'])).readProduct('gone', 'p')).toBeNull()
})

it('a product that the catalogue does not show, because there are too many, is read by itself', () => {
  snapshot.limitProducts(LEAST_MAX_PRODUCTS)
  const shown = new Set(snapshot.readProductIds('mala'))
  const hidden = SELLERS.mala.find((id) => !shown.has(id)) ?? ''
  const { readProduct } = createCounted(createPages('mala', SELLERS.mala))
  expect(readProduct('mala', hidden)).toEqual(snapshot.readProduct('mala', hidden))
  expect(readProduct('mala', hidden)?.products).toHaveLength(1)
})

it('the pictures of a seller are found once, and are those of each product', () => {
  const own = createCounted(createPages('ana', SELLERS.ana))
  const catalogues = SELLERS.ana.map((id) => readOne(own, 'ana', id))
  const found = [...catalogues, readWhole(own, 'ana')].map((one) => own.pictures.find(one))
  expect(reads).toEqual(['catalogue ana', 'pictures of 6'])
  expect(found).toEqual([...catalogues, readWhole(snapshot, 'ana')].map((one) => pictures.find(one)))
  expect(found.map(({ photos }) => Object.keys(photos).length)).toEqual([1, 1, 1, 0, 1, 1, 5])
})

it('a product that the catalogue does not show, and one of another seller, have their own pictures', () => {
  snapshot.limitProducts(LEAST_MAX_PRODUCTS)
  const own = createCounted(createPages('mala', SELLERS.mala))
  const shown = new Set(snapshot.readProductIds('mala'))
  const hidden = SELLERS.mala.find((id) => !shown.has(id)) ?? ''
  const catalogues = [
    readOne(own, 'mala', [...shown][0] ?? ''),
    readOne(own, 'mala', hidden),
    readOne(own, 'eva', 'eva1'),
  ]
  for (const catalogue of catalogues) expect(own.pictures.find(catalogue)).toEqual(pictures.find(catalogue))
})

function readOne(from: Pick<Snapshot, 'readProduct'>, seller: string, id: string): Catalogue {
  const catalogue = from.readProduct(seller, id)
  if (catalogue === null) throw new Error(`${seller} has no product ${id}`)
  return catalogue
}

function readWhole(from: Pick<Snapshot, 'readCatalogue'>, seller: string): Catalogue {
  const catalogue = from.readCatalogue(seller)
  if (catalogue === null) throw new Error(`${seller} has no catalogue`)
  return catalogue
}
