/** The poster as it is rendered: its code is read back. */
import jsQR from 'jsqr'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { loadRenderer } from '../../../src/builder/renderer/load-renderer.ts'
import { findIdProblem } from '../../../src/domain/documents/page-id.ts'
import { formatCataloguePath } from '../../../src/domain/pages/paths.ts'
import type { PosterPage } from '../../../src/domain/pages/poster.ts'
import type { Site } from '../../../src/domain/pages/site.ts'
import { findSampleServer } from '../../support/rebuild/sample-renderer.ts'
import { createSite } from '../../support/site.ts'
import { useVisits } from '../../support/browser/visit.ts'

const visit = useVisits()

const CODE = /<g id="codigo">(<svg .*?<\/svg>)<\/g>/s
/** In pixels. */
const MODULE = 6

const createPoster = (seller: string): PosterPage => ({
  kind: 'poster',
  seller,
  name: 'Ana',
  whatsapp: null,
  summary: { count: 0, available: 0, decantsFrom: null },
  social: null,
  faults: [{ mark: 'no-photo', count: 1, products: [{ id: 'p1', name: 'Uno', sizes: [] }] }],
})

async function render(page: PosterPage, site: Site): Promise<string> {
  const renderer = await loadRenderer(findSampleServer(), site)
  return (await renderer.render(page)).join('')
}

async function readCode(html: string): Promise<string | undefined> {
  const svg = CODE.exec(html)?.[1] ?? ''
  const modules = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1])
  const { data, info } = await sharp(Buffer.from(svg))
    .resize(modules * MODULE, modules * MODULE, { kernel: 'nearest' })
    .flatten({ background: '#ffffff' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return jsQR(new Uint8ClampedArray(data), info.width, info.height)?.data
}

const LONGEST = 'ñ'.repeat(125)

it.each(['perfumería ana', '"><script>alert(1)', 'a?b#c&d%2F'])(
  'the code of the seller %j leads to her catalogue',
  async (seller) => {
    expect(findIdProblem(seller)).toBe(null)
    const site = createSite({ url: 'https://vitrina.do' })
    const html = await render(createPoster(seller), site)
    expect(await readCode(html)).toBe(`https://vitrina.do${formatCataloguePath(seller)}`)
  },
)

it('the code of a poster has room for the longest address of a site', async () => {
  const url = `https://${Array.from({ length: 4 }, () => 'a'.repeat(61)).join('.')}.do:65535`
  const html = await render(createPoster(LONGEST), createSite({ url }))
  expect(await readCode(html)).toBe(url + formatCataloguePath(LONGEST))
})

it('a poster asks search engines not to list it', async () => {
  const html = await render(createPoster('ana'), createSite())
  expect(html).toContain('<meta name="robots" content="noindex"')
  expect(html).not.toContain('rel="canonical"')
})

it('a poster never scrolls horizontally on a narrow phone', async () => {
  const html = await render(createPoster('ana'), createSite())
  // The policy of the page that is replaced would block the poster's styles.
  const { page } = await visit('/no-existe', { bypassCSP: true, viewport: { width: 320, height: 640 } })
  await page.setContent(html)
  expect(await page.locator('.paper.sheet').isVisible()).toBe(true)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
})
