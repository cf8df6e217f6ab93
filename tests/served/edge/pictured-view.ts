/** A view of a catalogue with ten pictures. */
import { expect } from 'vitest'
import { createCoordinatorClient } from '../../../src/builder/publish/coordinator/coordinator-client.ts'
import { createObjectClient } from '../../../src/builder/publish/objects/object-client.ts'
import { createCatalogue } from '../../../src/domain/catalogue/catalogue.ts'
import type { SellerData } from '../../../src/domain/objects/object-data.ts'
import { createSellerData } from '../../../src/domain/objects/object-data.ts'
import type { Picture } from '../../../src/domain/photos/picture.ts'
import { createProduct } from '../../support/search/search-entries.ts'
import { SITE_SECRET } from './coordinated-site.ts'

const PICTURES = Array.from({ length: 10 }, (_, index) => `fotos/picture-${index}.webp`)

/** Gives the seller `lia` ten products with a picture each. */
export async function putPictures(origin: string): Promise<void> {
  const client = createObjectClient(createCoordinatorClient({ url: origin, secrets: [SITE_SECRET] }))
  await client.storeFiles({ files: PICTURES.map((path) => ({ path, content: 'cGljdHVyZQ==' })) })
  const { worker, objects } = await client.readTags({ names: ['lia'] })
  const { format, intake } = worker
  const pushed = objects.map(({ name, tag }) => ({ name, tag, data: createPictured(name) }))
  await client.push({ format, intake, objects: pushed, isShrinkAllowed: false })
}

function createPictured(seller: string): SellerData {
  const photos = PICTURES.map((path) => `https://photos.example/${path}`)
  const products = photos.map((photo, index) => createProduct(`p${index}`, `Perfume ${index}`, { photo }))
  const pictures = PICTURES.map((path, index): [string, Picture] => [
    photos[index] ?? '',
    { type: 'image/webp', sources: [{ path, width: 320 }], tone: null },
  ])
  return createSellerData(createCatalogue(seller, null, products), {
    pictures: { photos: Object.fromEntries(pictures), social: null },
    previews: {},
    hasProfile: true,
    updated: '',
  })
}

/** Requests a page, and all files that a browser without cache requests for it, up to those of its islands. */
export async function viewPictures(origin: string): Promise<void> {
  const page = await (await fetch(`${origin}/catalogo/lia`)).text()
  const files = new Set([...page.matchAll(FILE)].map(([, path = '']) => path))
  expect([...files].filter((path) => path.startsWith('/fotos/'))).toHaveLength(PICTURES.length)
  for (const [path] of page.matchAll(HASHED)) files.add(path)
  expect(files.size).toBeGreaterThan(PICTURES.length + 3)
  for (const path of files) expect([path, (await fetch(origin + path)).status]).toEqual([path, 200])
}

const FILE = /<(?:link|script|img|source)[^>]*? (?:href|src|srcset)="(\/[^" ]*)/g
const HASHED = /\/_astro\/[\w.-]+\.js/g
