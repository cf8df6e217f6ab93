/** The places that show each field of a product. A new field has no row here, which is a type error until it is decided. */
import { beforeAll, expect, it } from 'vitest'
import type { Renderer } from '../../../src/builder/renderer/load-renderer.ts'
import { loadRenderer } from '../../../src/builder/renderer/load-renderer.ts'
import { createCatalogue } from '../../../src/domain/catalogue/catalogue.ts'
import type { Product } from '../../../src/domain/documents/product.ts'
import { createProductPage } from '../../../src/domain/pages/page.ts'
import type { Site } from '../../../src/domain/pages/site.ts'
import { NO_PICTURES } from '../../../src/domain/photos/picture.ts'
import { listProductWords } from '../../../src/domain/search/words.ts'
import { findSampleServer } from '../../support/rebuild/sample-renderer.ts'
import { createSite } from '../../support/site.ts'

type Place = 'card' | 'page' | 'structured data' | 'list' | 'search'

interface Field {
  readonly other: Partial<Product>
  /** The places that show another value of the field. */
  readonly shown: readonly Place[]
}

const SITE = createSite({ url: 'http://localhost:8787' })
const PRODUCT: Product = {
  id: 'bleu1',
  name: 'Bleu de Chanel',
  photo: 'https://photos.example/bleu.jpg',
  price: 7200,
  available: true,
  _5ml: { price: 450, available: true },
  _10ml: { price: 800, available: true },
}
const EVERYWHERE: readonly Place[] = ['card', 'page', 'structured data', 'list', 'search']
const NOT_FOUND_BY: readonly Place[] = ['card', 'page', 'structured data', 'list']
const DECANT = { price: 475, available: false }

const FIELDS: Readonly<Record<keyof Omit<Product, 'unread'>, Field>> = {
  id: { other: { id: 'bleu2' }, shown: NOT_FOUND_BY },
  name: { other: { name: 'Sauvage' }, shown: EVERYWHERE },
  photo: { other: { photo: 'https://photos.example/other.jpg' }, shown: NOT_FOUND_BY },
  price: { other: { price: 7300 }, shown: NOT_FOUND_BY },
  available: { other: { available: false }, shown: NOT_FOUND_BY },
  _5ml: { other: { _5ml: DECANT }, shown: EVERYWHERE },
  _10ml: { other: { _10ml: DECANT }, shown: EVERYWHERE },
}

let renderer: Renderer
/** Renders catalogues that list the data of products, because these have no pages. */
let lister: Renderer
beforeAll(async () => {
  const load = (site: Site): Promise<Renderer> => loadRenderer(findSampleServer(), site)
  ;[renderer, lister] = await Promise.all([load(SITE), load({ ...SITE, productPages: false })])
})

const DATA = /<script type="application\/ld\+json">.*?<\/script>/gs
const CARD = /<li class="card".*?<\/li>/s

async function show(product: Product): Promise<Readonly<Record<Place, string>>> {
  const catalogue = createCatalogue('ana', null, [product])
  const parts = { catalogue, pictures: NO_PICTURES, previews: {} }
  const list: Page = { kind: 'catalogue', catalogue, pictures: NO_PICTURES }
  const page = createProductPage(parts, product.id)
  if (page === null) throw new Error('the product has no page')
  const own = await render(page, renderer)
  return {
    card: CARD.exec(await render(list, renderer))?.[0] ?? '',
    page: own.replaceAll(DATA, ''),
    'structured data': findData(own),
    list: findData(await render(list, lister)),
    search: JSON.stringify(listProductWords(product)),
  }
}

type Page = Parameters<Renderer['render']>[0]

async function render(page: Page, by: Renderer): Promise<string> {
  return (await by.render(page)).join('')
}

function findData(html: string): string {
  return (html.match(DATA) ?? []).join('')
}

it('each field of a product is where visitors and search engines look for it', async () => {
  const before = await show(PRODUCT)
  for (const place of EVERYWHERE) expect(before[place], place).not.toBe('')
  for (const [field, { other, shown }] of Object.entries(FIELDS)) {
    const after = await show({ ...PRODUCT, ...other })
    const changed = EVERYWHERE.filter((place) => after[place] !== before[place])
    expect({ field, changed }).toEqual({ field, changed: shown })
  }
})
