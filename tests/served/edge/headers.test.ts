/** The security headers of the edge, checked against the requirements of Mozilla's Observatory. */
import { TONES } from '../../../src/domain/photos/tones.ts'
import { createPosterPage } from '../../../src/domain/pages/poster.ts'
import { expect, inject, it } from 'vitest'
import { checkHeaders, readPolicy } from '../../../scripts/audit/pages/policy.ts'
import { findInlineHashes } from '../../../src/builder/renderer/inline-code.ts'
import { formatProductPath } from '../../../src/domain/pages/paths.ts'
import { loadRenderer } from '../../../src/builder/renderer/load-renderer.ts'
import type { ScreenPage } from '../../../src/domain/pages/page.ts'
import { findSampleServer } from '../../support/rebuild/sample-renderer.ts'
import { createSite } from '../../support/site.ts'
import { formatAddress } from '../../support/browser/catalogue-screen.ts'
import { THIRTY } from '../../support/run/sample-catalogues.ts'

const PAGES = [
  '/',
  formatAddress(THIRTY),
  formatProductPath(THIRTY.seller, THIRTY.products[0]?.id ?? ''),
  '/catalogo/nadie',
  '/buscar?q=eau',
  '/no-existe',
]
const FILES = ['/buscar/00.txt', '/favicon.svg', '/robots.txt', '/manifest.webmanifest', '/_astro/missing.js']

async function render(page: ScreenPage): Promise<string> {
  const renderer = await loadRenderer(findSampleServer(), createSite({ url: inject('origin') }))
  return (await renderer.render(page)).join('')
}

const read = (path: string): Promise<Response> => fetch(inject('origin') + path, { redirect: 'manual' })

async function readDirectives(path: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const policy = (await read(path)).headers.get('content-security-policy')
  return readPolicy(`/*\n  Content-Security-Policy: ${policy}\n`)
}

it.each([...PAGES, ...FILES])('the edge answers %s with every security header', async (path) => {
  const { headers } = await read(path)
  const seconds = Number(/^max-age=(\d+)$/.exec(headers.get('strict-transport-security') ?? '')?.[1])
  // The Observatory requires six months.
  expect(seconds).toBeGreaterThanOrEqual(15_768_000)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('referrer-policy')).toBe('same-origin')
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
  expect(headers.get('permissions-policy')).toMatch(/camera=\(\).*geolocation=\(\)/)
  expect(headers.get('access-control-allow-origin')).toBeNull()
  expect(headers.get('set-cookie')).toBeNull()
})

it.each(PAGES)(
  'the edge answers %s with a policy that allows its own code and nothing unsafe',
  async (path) => {
    const directives = await readDirectives(path)
    expect(directives.get('default-src')).toEqual(["'none'"])
    for (const name of ['base-uri', 'frame-ancestors']) expect(directives.get(name)).toEqual(["'none'"])
    expect(directives.get('form-action')).toEqual(["'self'"])
    for (const [name, sources] of directives) {
      const wide = sources.filter((source) => /unsafe|\*|^(http|data|blob):/.test(source))
      expect(wide, name).toEqual(name === 'img-src' ? ['data:'] : [])
    }
    const { scripts, styles } = findInlineHashes(await (await read(path)).text())
    expect(directives.get('script-src')).toEqual(expect.arrayContaining(["'self'", ...scripts]))
    expect(directives.get('style-src')).toEqual(expect.arrayContaining([...styles]))
    expect(styles.length).toBeGreaterThan(0)
  },
)

it('the edge has the same policy for every answer, without unused sources', async () => {
  const policies = await Promise.all(
    [...PAGES, ...FILES].map(async (path) => (await read(path)).headers.get('content-security-policy')),
  )
  expect(new Set(policies).size).toBe(1)
  expect(checkHeaders(`/*\n  Content-Security-Policy: ${policies[0]}\n`)).toEqual([])
  const directives = await readDirectives('/')
  const pages = await Promise.all(PAGES.map(async (path) => (await read(path)).text()))
  // A page with small photos has the rules of their tones.
  const photos = new Map([[String(THIRTY.products[0]?.photo), { type: null, sources: [], tone: 0 }]])
  const pictures = { photos, social: null }
  pages.push(await render({ kind: 'catalogue', catalogue: THIRTY, pictures }))
  // The policy has the code of all kinds of pages, also of those that a setting switches off.
  pages.push(await render(createPosterPage({ catalogue: THIRTY, pictures, previews: {} })))
  const needed = pages.map(findInlineHashes)
  expect(new Set(directives.get('script-src'))).toEqual(
    new Set(["'self'", ...needed.flatMap(({ scripts }) => scripts)]),
  )
  expect(new Set(directives.get('style-src'))).toEqual(new Set(needed.flatMap(({ styles }) => styles)))
})

it.each(['catalogue', 'search'] as const)(
  'the edge has the colour of each tone on a %s page',
  async (kind) => {
    const photo = String(THIRTY.products[0]?.photo)
    const pictures = { photos: new Map([[photo, { type: null, sources: [], tone: 5 }]]), social: null }
    const html = await render(kind === 'catalogue' ? { kind, catalogue: THIRTY, pictures } : { kind })
    const rules = [...html.matchAll(/\.t(\d+)\{background:(#[\da-f]{6})\}/g)].map(([, index, hex]) => [
      index,
      hex,
    ])
    expect(rules).toEqual(TONES.map((hex, index) => [String(index), hex]))
    expect(/class="[^"]*\bt5\b/.test(html)).toBe(kind === 'catalogue')
  },
)
