/** Every file of a built site passes `check:pages`: markup, references, policy, metadata, weight and old browsers. */
import { expect, it, describe } from 'vitest'
import { checkSite } from '../../scripts/audit/pages/check-site.ts'
import { product, user, writeFolder } from '../support/rebuild/documents.ts'
import { rebuildHere } from '../support/rebuild/run-here.ts'
import { useTemporaryFolder } from '../support/run/temporary.ts'
import { findReferences, listAnswers } from '../../scripts/audit/pages/find-references.ts'

const path = useTemporaryFolder()

const HOSTILE = ['</script><script>x</script>', '<!--<script>', '&lt; & "\' \u2028', 'Ñandú | 5ML RD$1']

it.each([
  ['the sample', () => 'src/builder/sources/sample'],
  [
    'hostile documents',
    () =>
      writeFolder(path('hostile'), [
        user('eva', HOSTILE[0], HOSTILE[1]),
        ...HOSTILE.map((name, index) =>
          product(`p${index}`, 'eva', { name, price: index === 1 ? null : 0.5 }),
        ),
      ]),
  ],
])('the site of %s passes the check of pages', async (_, findSource) => {
  const place = { source: findSource(), output: path('dist'), state: path('state') }
  const { report } = await rebuildHere({ ...place, env: { PRODUCT_PAGES: 'on' } })
  expect(report.exit).toBe(0)
  const { problems, kinds } = await checkSite(path('dist'))
  expect(problems).toEqual([])
  expect(kinds.get('catalogue')?.count).toBeGreaterThan(0)
})

const inPage = (html: string, page = 'catalogo/ana.html') => findReferences(page, html)
const inModule = (code: string) => findReferences('_astro/a.js', code)

describe('a page refers', () => {
  it('to the addresses in src and href, in any element and with any quotes', async () => {
    const html = `<!doctype html><LINK HREF='/favicon.svg'><script src=/_astro/a.js></script>
      <img src="/x.svg"><a href="/catalogo/luz">Luz</a><use href="/i.svg#shape"></use>`
    expect(await inPage(html)).toEqual(['/favicon.svg', '/_astro/a.js', '/x.svg', '/catalogo/luz', '/i.svg'])
  })

  it('to the chunks of its islands', async () => {
    const html =
      '<astro-island component-url="/_astro/B.js" renderer-url="/_astro/c.js" before-hydration-url="/_astro/d.js"></astro-island>'
    expect(await inPage(html)).toEqual(['/_astro/B.js', '/_astro/c.js', '/_astro/d.js'])
  })

  it('to the module that its script imports', async () => {
    expect(await inPage('<a data-module="/_astro/order.js"></a>')).toEqual(['/_astro/order.js'])
  })

  it('to each picture of a srcset', async () => {
    const html = '<img srcset="/a.webp 400w,  /b.webp 800w, /c%20d.webp 2x"><source srcset="/e.avif">'
    expect(await inPage(html)).toEqual(['/a.webp', '/b.webp', '/c d.webp', '/e.avif'])
  })

  it('to no picture that the edge makes, also with commas in its address', async () => {
    const html = '<source srcset="/cdn-cgi/image/width=1,fit=cover/a.jpg 1w, /a.avif 2w">'
    expect(await inPage(html)).toEqual(['/a.avif'])
  })

  it('to addresses decoded, without search and fragment', async () => {
    const html =
      '<a href="/catalogo/perfumer%C3%ADa?filtro=x#top">x</a><a href="/catalogo/a%2520b">x</a><a href="/a&amp;b">x</a>'
    expect(await inPage(html)).toEqual(['/catalogo/perfumería', '/catalogo/a%20b', '/a&b'])
  })

  it('to a path that is relative to its own', async () => {
    expect(await inPage('<a href="luz">x</a><a href="../x.svg">x</a><a href="./404">x</a>')).toEqual([
      '/catalogo/luz',
      '/x.svg',
      '/catalogo/404',
    ])
    expect(await inPage('<a href="#contenido">x</a>')).toEqual(['/catalogo/ana.html'])
  })

  it('to nothing outside the site', async () => {
    const html = `<img src="https://photos.example/1.jpg"><a href="//cdn.example/x">x</a><img src="data:image/png;base64,AA">
      <a href="mailto:a@b.do">x</a><a href="javascript:void 0">x</a><a href="https://[">x</a>`
    expect(await inPage(html)).toEqual([])
  })

  it('to nothing that only looks like an attribute', async () => {
    const html = `<!-- <img src="/comment.svg"> --><p>src="/text.svg"</p><p data-src="/data.svg" title='href="/title"'></p>
      <script>const html = '<img src="/script.svg">'</script><style>a { background: url(/style.svg) }</style>`
    expect(await inPage(html)).toEqual([])
  })
})

describe('a module refers', () => {
  it('to its static and dynamic imports and its re-exports', async () => {
    const code = `import{a}from"./b.js";import"./c.js";export*from'../d.js';export{e}from"/_astro/e.js";const f=()=>import("./f.js")`
    expect(await inModule(code)).toEqual([
      '/_astro/b.js',
      '/_astro/c.js',
      '/d.js',
      '/_astro/e.js',
      '/_astro/f.js',
    ])
  })

  it('to no address in text or comments, and to no computed specifier', async () => {
    const code =
      'const a="import(\\"./text.js\\")";/* import "./comment.js" */ export const b=(x)=>import(x);import.meta.url;a'
    expect(await inModule(code)).toEqual([])
  })
})

it.each(['import {', 'if (a) { "'])('a script that does not parse imports nothing: %s', async (code) => {
  expect(await inModule(code)).toEqual([])
})

it('other files refer to nothing', async () => {
  expect(await findReferences('favicon.svg', '<image href="/x.png">')).toEqual([])
  expect(await findReferences('_headers', '/x\n  Link: </y>')).toEqual([])
})

describe('an address is answered', () => {
  it('by its own file or by its page', () => {
    expect(listAnswers('/')).toEqual(['index.html'])
    expect(listAnswers('/catalogo/ana')).toContain('catalogo/ana.html')
    expect(listAnswers('/_astro/a.js')).toContain('_astro/a.js')
  })
})
