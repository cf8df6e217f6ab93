/** The check of a built site: the real site passes, and a small site with one fault fails. */
import { mkdirSync, rmSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { command } from '../../../scripts/audit/check-pages.ts'
import { checkSite } from '../../../scripts/audit/pages/check-site.ts'
import { openBuiltSite } from '../../../scripts/audit/pages/built-site.ts'
import { findInlineHashes } from '../../../src/builder/renderer/inline-code.ts'
import { product, user, writeFolder } from '../../support/rebuild/documents.ts'
import { rebuildHere, runHere } from '../../support/rebuild/run-here.ts'
import { useTemporaryFolder, writeTree } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()

const INLINE = '<style>p { color: red }</style><script>"use strict"</script>'
const NOINDEX = '<meta name="robots" content="noindex">'
const HOSTILE = ['</script><script>x</script>', '<!--<script>', '&lt; & "\' \u2028', 'Ñandú | 5ML RD$1']

const LIST = {
  '@context': 'https://schema.org',
  '@type': 'ItemList',
  itemListElement: [
    {
      '@type': 'ListItem',
      position: 1,
      item: {
        '@type': 'Product',
        name: 'Bleu',
        url: 'https://vitrina.example/catalogo/ana#p-p',
        image: 'https://photos.example/a.jpg',
        offers: [
          {
            '@type': 'Offer',
            price: 1300,
            priceCurrency: 'DOP',
            availability: 'https://schema.org/OutOfStock',
          },
          {
            '@type': 'Offer',
            name: '5ML',
            price: 300,
            priceCurrency: 'DOP',
            availability: 'https://schema.org/InStock',
          },
        ],
      },
    },
  ],
}

const CARD = `<li id="p-p"><img src="/a.svg" alt="" width="1" height="1"><h2><bdi>Bleu</bdi></h2>
  <p class="price">RD$1,300</p><p class="sold-out">Agotado</p><dl>
  <div data-available=""><dt>5ML</dt><dd>RD$300 <span>, disponible</span></dd></div>
  <div><dt>10ML</dt><dd>-- <span>, no disponible</span></dd></div></dl></li>`

const PAGES: Readonly<Record<string, string>> = {
  'index.html': createPage(formatSharing('/'), '<a href="/catalogo/ana">Ana</a>'),
  '404.html': createPage(NOINDEX, ''),
  'catalogo/404.html': createPage(NOINDEX, ''),
  'catalogo/ana.html': createPage(
    formatSharing('/catalogo/ana'),
    `<ul>${CARD}</ul><script type="application/ld+json">${JSON.stringify(LIST)}</script>`,
  ),
  'catalogo/eva.html': createPage(NOINDEX, ''),
}

const FILES: Readonly<Record<string, string>> = {
  ...PAGES,
  _headers: formatHeaders(),
  'a.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'manifest.webmanifest': '{"icons":[{"src":"/a.svg"}]}',
  '_astro/a.js': 'import "./b.js"',
  '_astro/b.js': 'export {}',
}

beforeEach(() => writeTree(path(), FILES))

const check = async (): Promise<readonly string[]> => (await checkSite(openBuiltSite(path()))).problems

const run = (folder: string) => runHere({ name: 'check:pages', definition: command }, [folder])

describe('the check of a built site', () => {
  it('passes on the sample and on hostile documents', async () => {
    const hostile = [
      user('eva', HOSTILE[0], HOSTILE[1]),
      ...HOSTILE.map((name, index) => product(`p${index}`, 'eva', { name, price: index === 1 ? null : 0.5 })),
    ]
    writeFolder(path('hostile'), hostile)
    for (const source of ['src/builder/sources/sample', path('hostile')]) {
      const env = { PRODUCT_PAGES: 'on' }
      const { report } = await rebuildHere({ source, output: path('dist'), state: path('state'), env })
      expect(report.exit).toBe(0)
      const { code, stdout, stderr } = await run(path('dist'))
      expect([code, stderr]).toEqual([0, ''])
      expect(stdout).toMatch(/^catalogue +\d+ +[\d,]+ +[\d,]+ {2}catalogo\//m)
      for (const folder of ['dist', 'state']) rmSync(path(folder), { recursive: true })
    }
  })

  it('passes on a small sound site', async () => {
    expect(await check()).toEqual([])
  })

  it('exits with 1 and names the first problems', async () => {
    writeTree(path(), { 'x.map': '' })
    const { code, stderr } = await run(path())
    expect([code, stderr]).toEqual([1, 'x.map is a source map\n'])
  })

  it('exits with 2 if there is no site', async () => {
    mkdirSync(path('empty'))
    for (const folder of ['empty', 'missing']) expect((await run(path(folder))).code).toBe(2)
  })

  const ANA = 'catalogo/ana.html'
  it.each([
    ['a missing doctype', ANA, '<!doctype html>', '', /does not begin with its doctype/],
    ['a missing language', ANA, ' lang="es-DO"', '', /has no language/],
    ['an empty title', ANA, '<title>A', '<title>', /has no title/],
    ['a second heading', ANA, '<h2>', '<h1>x</h1><h2>', /has 2 headings/],
    ['a missing heading', ANA, /<h1.*<\/h1>/, '', /has 0 headings/],
    ['an id that stands twice', ANA, '<h2>', '<h2 id="main">', /has the id main more than once/],
    ['an image without a text', ANA, ' alt=""', '', /shows \/a\.svg without alt/],
    ['an image without a width', ANA, ' width="1"', '', /shows \/a\.svg without width/],
    ['an image without a height', ANA, ' height="1"', '', /shows \/a\.svg without height/],
    ['markup that is not valid', ANA, '<h2>', '<h2><p>x</p>', /is not valid HTML at 2:\d+: <p>/],
    ['a time without a date', ANA, '<h2>', '<time>hoy</time><h2>', /has a time element without/],
    ['a style in the body', ANA, '</main>', `${INLINE}</main>`, /has a style element in its body/],
    ['an inline handler', ANA, '<h2>', '<h2 onclick="x()">', /has a h2 with the attribute onclick/],
    ['a style attribute', ANA, '<h2>', '<h2 style="color: red">', /has a h2 with the attribute style/],
    ['an image that is not there', ANA, '/a.svg', '/b.svg', /refers to \/b\.svg/],
    ['a link to no page', 'index.html', '/catalogo/ana">', '/catalogo/x">', /refers to \/cat/],
    ['a chunk that is not there', '_astro/a.js', './b.js', './c.js', /refers to \/_astro\/c\.js/],
    ['an icon that is not there', 'manifest.webmanifest', '/a.svg', '/c.svg', /refers to \/c\.svg/],
    ['a named source map', '_astro/b.js', /$/, '\n//# sourceMappingURL=b.js.map', /names a source map/],
    ['a script of another hash', ANA, '"use strict"', '"use strict" ', /has an inline script that/],
    ['a style of another hash', ANA, 'red', 'blue', /has an inline style that/],
    ['too heavy a page', 'index.html', '</main>', `${createNoise()}</main>`, /weighs \d+ bytes .* at most 4/],
    ['a newer member', '_astro/b.js', '{}', '{}; "a".toWellFormed()', /uses toWellFormed, which the old/],
    ['a newer constructor', '_astro/b.js', '{}', '{}; new CSSStyleSheet()', /uses new CSSStyleSheet, which/],
    ['a newer object', '_astro/b.js', '{}', '{}; new Intl.Segmenter()', /uses Intl.Segmenter, which/],
    ['a newer operator', '_astro/b.js', '{}', '{}; let a; a ??= 1', /uses \?\?=, which/],
    ['a newer pattern', '_astro/b.js', '{}', '{}; /(?<!a)b/', /uses \/\(\?<!a\)b\/, which/],
    ['a newer script in a page', 'index.html', '"use strict"', '[].at(-1)', /uses at, which/],
    ['a newer media rule', 'index.html', 'p {', '@media (width >= 1px) {} p {', /uses media range, which/],
    ['a newer property', 'index.html', 'color: red', 'anchor-name: --a', /uses anchor-name, which/],
    ['a newer unit', 'index.html', 'color: red', 'width: 9svw', /uses svw, which/],
    ['a newer selector', 'index.html', 'p {', 'p:state(a) {', /uses :state, which/],
    ['a page hidden from searches', ANA, '<title>', `${NOINDEX}<title>`, /is not open to search engines/],
    ['an empty page open to searches', 'catalogo/eva.html', NOINDEX, '', /is open to search engines/],
    ['an address of another page', ANA, 'example/catalogo/ana', 'example/catalogo/eva', /has the canonical/],
    ['an address of no page', '404.html', '<title>', formatSharing('/404'), /has a canonical address/],
    ['a missing description', ANA, 'name="description"', 'name="keywords"', /has no description/],
    [
      'missing data',
      ANA,
      'application/ld+json',
      'text/plain',
      /has 0 blocks of structured data instead of 1/,
    ],
    ['data that does not parse', ANA, '"position":1', '"position":', /not a valid list of products/],
    ['data of an unknown form', ANA, '"DOP"', '"USD"', /valid list of products: item/],
    ['a relative picture', ANA, '"https://photos.example/a.jpg"', '"/a.jpg"', /is not an absolute address/],
    ['another price', ANA, '"price":1300', '"price":1200', /shows 1 .*RD\$1,300 .* says .*RD\$1,200/],
    ['another availability', ANA, 'OutOfStock', 'InStock', /shows .*RD\$1,300 not available/],
    ['another availability of a decant', ANA, ' data-available=""', '', /shows .*5ML RD\$300 not available/],
    ['another address', ANA, '#p-p', '#p-q', /shows .*#p-p \| .* says .*#p-q/],
    ['another name', ANA, '<bdi>Bleu', '<bdi>Noir', /shows 1 \| Noir/],
    ['another place', ANA, '"position":1', '"position":2', /says 2 \| Bleu/],
    ['a product more than is told', ANA, '<li', `${CARD}<li`, /says nothing/],
    ['an unsafe source', '_headers', "'self'", "'self' 'unsafe-inline'", /unsafe source in script-src/],
    ['a policy of all', '_headers', "default-src 'none'", "default-src 'self'", /Policy with default-src/],
    ['a policy of other paths only', '_headers', '/*', '/catalogo/*', /Policy with default-src/],
    [
      'a line that is too long',
      '_headers',
      /$/,
      `  X: ${'x'.repeat(2_000)}\n`,
      /has a line of 2\d+ characters/,
    ],
  ] as const)('finds %s', async (_, file, part, instead, problem) => {
    const text = FILES[file] ?? ''
    const changed = text.replace(part, () => instead)
    expect(changed).not.toBe(text)
    writeTree(path(), { [file]: changed })
    const found = await check()
    expect(found.filter((one) => one.startsWith(`${file} `) && problem.test(one))).toHaveLength(1)
  })
})

function createPage(head: string, content: string): string {
  return `<!doctype html><html lang="es-DO"><head>${head}<title>A</title>${INLINE}</head><body>
    <main id="main"><h1>A</h1>${content}</main></body></html>`
}

function formatSharing(own: string): string {
  const address = `https://vitrina.example${own}`
  const named = ['description', 'twitter:card'].map((name) => `<meta name="${name}" content="x">`)
  const shared = ['og:title', 'og:description', 'og:url'].map(
    (name) => `<meta property="${name}" content="x">`,
  )
  return `<link rel="canonical" href="${address}">${named.join('')}${shared.join('')}`
}

function formatHeaders(): string {
  const { scripts, styles } = findInlineHashes(INLINE)
  const policy = `default-src 'none'; script-src 'self' ${scripts.join(' ')}; style-src ${styles.join(' ')}`
  return `/*\n  Content-Security-Policy: ${policy}\n/_astro/a.js\n  Cache-Control: immutable\n`
}

/** Incompressible text, the same in every run. */
function createNoise(): string {
  let seed = 1
  return Array.from({ length: 2_000 }, () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed.toString(36)
  }).join(' ')
}
