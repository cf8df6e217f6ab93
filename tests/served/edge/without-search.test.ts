/** With `SEARCH=off` no page leads to the search of all catalogues, and each catalogue keeps its own. */
import { expect, it } from 'vitest'
import { loadRenderer } from '../../../src/builder/renderer/load-renderer.ts'
import { createCatalogue } from '../../../src/domain/catalogue/catalogue.ts'
import type { ScreenPage } from '../../../src/domain/pages/page.ts'
import { createUnknownCataloguePage } from '../../../src/domain/pages/page.ts'
import { NO_PICTURES } from '../../../src/domain/photos/picture.ts'
import { findSampleServer } from '../../support/rebuild/sample-renderer.ts'
import { createProduct } from '../../support/search/search-oracle.ts'
import { createSite } from '../../support/site.ts'

const CATALOGUE: ScreenPage = {
  kind: 'catalogue',
  catalogue: createCatalogue('ana', null, [createProduct('p', 'Eros')]),
  pictures: NO_PICTURES,
}

async function render(page: ScreenPage, search: boolean): Promise<string> {
  const renderer = await loadRenderer(findSampleServer(), createSite({ search }))
  return (await renderer.render(page)).join('')
}

it.each<[string, ScreenPage]>([
  ['the home page', { kind: 'home', stores: [], social: null }],
  ['the 404 page', { kind: 'not-found' }],
  ['an unknown catalogue', createUnknownCataloguePage()],
])('%s has a search only where the site has one', async (_, page) => {
  expect(await render(page, true)).toContain('action="/buscar"')
  const html = await render(page, false)
  expect(html).not.toContain('/buscar')
  expect(html).not.toContain('role="search"')
})

it('a catalogue keeps its own search, which leads nowhere else', async () => {
  expect(await render(CATALOGUE, true)).toContain('action="/buscar"')
  const html = await render(CATALOGUE, false)
  expect(html).not.toContain('/buscar')
  expect(html).toContain('action="/catalogo/ana"')
  expect(html).not.toContain('form="buscar"')
})
