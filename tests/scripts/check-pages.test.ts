/** Every file of a built site passes `check:pages`: markup, references, policy, metadata, weight and old browsers. */
import { expect, it } from 'vitest'
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

it.each<[string, string, readonly string[]]>([
  [
    'addresses in src and href',
    `<LINK HREF='/favicon.svg'><script src=/_astro/a.js></script><use href="/i.svg#shape"></use>`,
    ['/favicon.svg', '/_astro/a.js', '/i.svg'],
  ],
  ['chunks of its islands', '<astro-island component-url="/_astro/B.js"></astro-island>', ['/_astro/B.js']],
  ['the module that its script imports', '<a data-module="/_astro/order.js"></a>', ['/_astro/order.js']],
  [
    'each picture of a srcset but those that the edge makes',
    '<source srcset="/cdn-cgi/image/width=1,fit=cover/a.jpg 1w,  /b%20c.avif 800w"><img srcset="/e.avif">',
    ['/b c.avif', '/e.avif'],
  ],
  [
    'decoded addresses, without search and fragment',
    '<a href="/catalogo/perfumer%C3%ADa?filtro=x#top">x</a><a href="/a&amp;b">x</a>',
    ['/catalogo/perfumería', '/a&b'],
  ],
  [
    'paths that are relative to its own',
    '<a href="luz">x</a><a href="../x.svg">x</a><a href="#contenido">x</a>',
    ['/catalogo/luz', '/x.svg', '/catalogo/ana.html'],
  ],
  [
    'nothing outside the site',
    '<img src="https://photos.example/1.jpg"><a href="//cdn.example/x">x</a><a href="mailto:a@b.do">x</a>',
    [],
  ],
  [
    'nothing that only looks like an attribute',
    `<!-- <img src="/comment.svg"> --><p data-src="/data.svg">src="/text.svg"</p><script>'<img src="/x.svg">'</script>`,
    [],
  ],
])('a page refers to %s', async (_, html, found) => {
  expect(await findReferences('catalogo/ana.html', html)).toEqual(found)
})

it.each<[string, string, readonly string[]]>([
  [
    'its static and dynamic imports and its re-exports',
    `import{a}from"./b.js";export*from'../d.js';export{e}from"/_astro/e.js";const f=()=>import("./f.js")`,
    ['/_astro/b.js', '/d.js', '/_astro/e.js', '/_astro/f.js'],
  ],
  ['nothing in text or comments', 'const a="import(\\"./text.js\\")";/* import "./comment.js" */', []],
  ['nothing if it does not parse', 'import {', []],
])('a module refers to %s', async (_, code, found) => {
  expect(await findReferences('_astro/a.js', code)).toEqual(found)
})

it('an address is answered by its own file or by its page', () => {
  expect(listAnswers('/')).toEqual(['index.html'])
  expect(listAnswers('/catalogo/ana')).toContain('catalogo/ana.html')
  expect(listAnswers('/_astro/a.js')).toContain('_astro/a.js')
})
