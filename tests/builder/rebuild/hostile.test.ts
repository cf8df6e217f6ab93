/** Hostile documents in every combination: data never becomes code, and one bad document affects only itself. */
import { readdirSync, readFileSync } from 'node:fs'
import { Parser } from 'htmlparser2'
import { expect, it } from 'vitest'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import { product, user, withNumber, writeFolder } from '../../support/rebuild/documents.ts'
import { runRebuild } from '../../support/rebuild/rebuild.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()

const TEXTS = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onfocus='alert(1)",
  '</title><script>x</script>',
  '</style><style>*{display:none}</style>',
  '<!-- --><![CDATA[ ]]>',
  '{{constructor.constructor("x")()}} ${process.env.PATH}',
  '\u0000\u0007\u001B[31mred\u009B2J',
  '\u202Eabc\u2066def\u200F',
  'a\uD800b',
  '😀 Ñandú “comillas” &amp; &#60;',
  'x'.repeat(1_000_000),
  '   ',
  '../../../etc/passwd',
  '__proto__',
]

const ADDRESSES = [
  'javascript:alert(1)',
  'data:text/html,<script>x</script>',
  'https://photos.example/a.jpg" onerror="alert(1)',
  'https://photos.example/\u0000a.jpg',
  '//photos.example/a.jpg',
  'https://user:secret@photos.example/a.jpg',
  'file:///etc/passwd',
  '/../../etc/passwd',
  'https://photos.example/<b>.jpg',
  `https://photos.example/${'x'.repeat(5000)}`,
]

const VALUES: readonly unknown[] = [
  null,
  '12',
  -1,
  1.5,
  1e308,
  true,
  [],
  {},
  { price: {} },
  { available: 'yes', price: [1] },
  'x',
]

const pick = <T>(list: readonly T[], index: number): T => list[index % list.length] as T

/** One seller for each text: a page with one product, whose fields are all hostile. */
function createHostile(count: number): readonly SourceDocument[] {
  return Array.from({ length: count }, (_, index) => [
    withNumber(
      user(`s${index}`, pick(TEXTS, index), pick(TEXTS, index + 3)),
      pick([...TEXTS, ...VALUES], index),
    ),
    product(`p${index}`, `s${index}`, {
      name: `${pick(TEXTS, index + 1)} fin`,
      photo: pick(ADDRESSES, index),
      price: pick(VALUES, index),
      available: pick(VALUES, index + 5),
      _5ml: pick(VALUES, index + 2),
      _10ml: pick(VALUES, index + 7),
      __proto__: { polluted: true },
      constructor: pick(TEXTS, index),
    }),
  ]).flat()
}

const BROKEN: readonly SourceDocument[] = [
  ...['..', '.', '404', 'index', 'a/b', 'a\\b', 'a\nb', 'é'.normalize('NFD'), 'x'.repeat(1500)].map((id) =>
    user(id),
  ),
  ...[undefined, null, 7, {}, '', '../up', 'x'.repeat(1500)].map((id, index) =>
    product(`owner${index}`, 'nobody', { owner: { id } }),
  ),
  ...[undefined, 5, '', '  ', '\u0000'].map((name, index) => product(`name${index}`, 's0', { name })),
  { collection: 'cataloge', id: 'list', updateTime: null, data: [] },
  { collection: 'users', id: 'text', updateTime: null, data: 'x' },
]

/** A size of a product, the button that adds it, and the question to a seller with a number. */
const OFFERED =
  /<label class\n<input [\w ]+\n<\/input\n(?:<span(?: class)?\n<\/span\n)+<\/label\n|<button class type\n<span\n<\/span\n<\/button\n|<a class href rel target\n<\/a\n/g

/** Returns element and attribute names in order, without texts, values and what depends on prices, availability and numbers. */
function readSkeleton(html: string): string {
  const names: string[] = []
  const parser = new Parser({
    onopentag: (name, attributes) => names.push(`<${[name, ...Object.keys(attributes).sort()].join(' ')}`),
    onclosetag: (name) => names.push(`</${name}`),
  })
  parser.end(html)
  return names
    .join('\n')
    .replace(/ ?data-(available|price|5ml|10ml|whatsapp)|<button [\w -]+\n<\/button\n/g, '')
    .replace(OFFERED, '')
}

it('gives every page the skeleton of a harmless one, writes nothing outside, and names each bad document', async () => {
  // The fields repeat after 330 sellers: 15 texts, 10 addresses and 11 values.
  const count = 330
  writeFolder(path('source'), [
    ...createHostile(count),
    ...BROKEN,
    user('harmless'),
    product('good', 'harmless'),
    user('bare'),
    product('plain', 'bare', { photo: null }),
    user('free'),
    product('gift', 'free', { price: null, _5ml: null, _10ml: null }),
  ])
  const { report, stderr } = await runRebuild({
    source: path('source'),
    output: path('dist'),
    state: path('state'),
    env: { PRODUCT_PAGES: 'on' },
  })
  expect(report).toMatchObject({ exit: 0, pages: { rendered: count + 3, failed: 0 } })
  const named = new Set(report.rejected.map(({ collection, id }) => `${collection}/${id}`))
  for (const { collection, id } of BROKEN) expect(named).toContain(`${collection}/${id}`)

  const harmless = readSkeleton(readFileSync(path('dist/catalogo/harmless.html'), 'utf8'))
  const pages = readdirSync(path('dist/catalogo')).filter((name) => /(?<!^404)\.html$/.test(name))
  expect(pages).toHaveLength(count + 3)
  const soldOut = '<p class\n</p\n'
  for (const name of pages) {
    const html = readFileSync(path('dist/catalogo', name), 'utf8')
    const skeleton = readSkeleton(html)
    expect([harmless, insertSoldOut(harmless, soldOut)], name).toContain(skeleton)
    expect(/(?:src|href)="(?:javascript|data|file):/.test(html), name).toBe(false)
    expect(html.length).toBeLessThan(40_000)
  }
  // Previews show the price of a product. Only a product with price and photo has structured data for search engines.
  const examples = ['harmless/good', 'bare/plain', 'free/gift'].map((name) =>
    readSkeleton(readFileSync(path(`dist/catalogo/${name}.html`), 'utf8')),
  )
  const found = new Set<string>()
  for (let index = 0; index < count; index += 1) {
    const html = readFileSync(path(`dist/catalogo/s${index}/p${index}.html`), 'utf8')
    const skeleton = readSkeleton(html)
    expect(examples, `p${index}`).toContain(skeleton)
    found.add(skeleton)
    expect(/(?:src|href)="(?:javascript|data|file):/.test(html), `p${index}`).toBe(false)
  }
  expect(found).toEqual(new Set(examples))
  expect(readdirSync(path())).toEqual(['.dist.lock', 'dist', 'source', 'state'])
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  expect(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E]/.test(stderr)).toBe(false)
})

/** Returns the page with the badge of an unavailable product, which comes after the price. */
function insertSoldOut(skeleton: string, badge: string): string {
  const decants = skeleton.lastIndexOf('<p class\n</p\n<dl')
  return skeleton.slice(0, decants) + badge + skeleton.slice(decants)
}
