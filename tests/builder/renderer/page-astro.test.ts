/** Components of a prepared route can read properties, locals and slots of `Astro`, and nothing else. */
import type { SSRResult } from 'astro'
import * as astro from 'astro/compiler-runtime'
import { expect, it } from 'vitest'
import { PageAstro } from '../../../src/builder/renderer/page-astro.ts'
import { createUnknownCataloguePage } from '../../../src/domain/pages/page.ts'
import { createSite } from '../../support/site.ts'

const LOCALS = {
  site: createSite({ url: 'http://localhost', productPages: false }),
  page: createUnknownCataloguePage(),
}

// Slots without islands need nothing of the result.
const RESULT = {} as SSRResult

const create = (text: string): PageAstro =>
  new PageAstro(RESULT, LOCALS, { name: 'value' }, { default: () => astro.render`<b>${text}</b>` })

it('the Astro of a page has the properties, the locals, the component itself and its slots', async () => {
  const page = create('a & b')
  page.self = create
  expect([page.props, page.locals, page.self]).toEqual([{ name: 'value' }, LOCALS, create])
  expect(await page.slots.render('default')).toBe('<b>a &amp; b</b>')
  expect(await page.slots.render('other')).toBe('')
})

it.each(['url', 'request', 'params', 'cookies', 'response', 'generator'])(
  'the Astro of a page has no %s',
  (name) => {
    expect(() => Reflect.get(create(''), name)).toThrow(`components have no Astro.${name}: see page-astro.ts`)
  },
)
