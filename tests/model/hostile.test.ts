/**
 * Random hostile sellers among honest ones, with the compiled renderer: their texts stay in their places on every kind
 * of page, and no file of another seller changes. VITRINA_STORIES and VITRINA_SEED play other stories.
 */
import { join } from 'node:path'
import fc from 'fast-check'
import { Parser } from 'htmlparser2'
import { beforeAll, expect, it } from 'vitest'
import type { Renderer } from '../../src/builder/renderer/load-renderer.ts'
import { loadRenderer } from '../../src/builder/renderer/load-renderer.ts'
import type { SourceDocument } from '../../src/domain/documents/document.ts'
import { parseDocument } from '../../src/domain/documents/parse-document.ts'
import { mapSwitches } from '../../src/domain/documents/page-switches.ts'
import { fillSearchPage } from '../../src/site/markup/search-results.ts'
import { formatCard, readCard } from '../../src/domain/search/search-card.ts'
import type { FoundProduct } from '../../src/domain/search/search-files.ts'
import { cleanQuery } from '../../src/domain/search/words.ts'
import { product, user, withNumber, writeFolder } from '../support/rebuild/documents.ts'
import { rebuildHere } from '../support/rebuild/run-here.ts'
import { ensureCompiled, findSampleServer } from '../support/rebuild/sample-renderer.ts'
import { readFiles } from '../support/run/files.ts'
import { useSharedFolder } from '../support/run/temporary.ts'

const STORIES = Number(process.env['VITRINA_STORIES'] ?? 12)
const SEED = Number(process.env['VITRINA_SEED'] ?? 42)
const SITE = { name: 'Vitrina', url: 'https://vitrina.example', accessUrl: null, ...mapSwitches(() => true) }
const SETTINGS = { SITE_URL: SITE.url, PRODUCT_PAGES: 'on', FEEDS: 'on', POSTERS: 'on' }
const PHOTOS = ['off', 'service'] as const

type Documents = readonly SourceDocument[]
type Files = Readonly<Record<string, string>>

// Each text of a hostile document contains the mark of its kind.
const MARKS = { shown: 'zqname', photo: 'zqphoto', id: 'zqid', unseen: 'zqunseen' } as const
type Kind = keyof typeof MARKS

/** Where in markup a text of each kind may be: names of elements, `element@attribute`, or as `readMarkup` names it. */
const PLACES: Readonly<Record<Kind, readonly string[]>> = {
  shown: listWords(`title bdi span meta@content button@data-title button@data-text message json
    g:title g:description`),
  photo: listWords('img@src source@srcset link@href link@imagesrcset json g:image_link'),
  id: listWords(`li@id article@id a@href a@data-seller form@action link@href meta@content message json code
    loc link g:id g:link g:item_group_id`),
  unseen: [],
}
/** The page of results also shows the query. */
const PLACES_OF_QUERY = ['h1', 'input@value', 'search']

function listWords(words: string): readonly string[] {
  return words.split(/\s+/)
}

// The mark replaces `§`.
const TEXTS = [
  '<script>§</script>',
  '"><img src=§ onerror=§>',
  "' onfocus='§",
  '</title><§ §=§>',
  '</style><style>.§{display:none}</style>',
  '<!-- § --><![CDATA[ § ]]>',
  '<!--apart:0-->§<!--apart:99-->',
  '<!--astro:end-->§<astro-island props="§">',
  '{{constructor.constructor("§")()}} ${§} <%= § %>',
  '"}],"§":["§',
  '\u0000\u0007\u001B[31m§\u009B2J\u202E\uD800\u2028',
  '😀 Ñandú “§” &amp; &#60; &lt;§&gt;',
  `§ ${'ñ'.repeat(20_000)}`,
  '##[error]§ ::set-output name=§::',
]
const PIECES = [...'§<>"\'&`\\/= \n}香', '<!--', '-->', '</', 'script']
const ADDRESSES = [
  'https://firebasestorage.googleapis.com/v0/b/§.jpg?alt=media',
  'https://firebasestorage.googleapis.com/v0/§,a,',
  `https://firebasestorage.googleapis.com/?§${'&'.repeat(300)}`,
  'https://photos.example/§" onerror="§',
  'https://photos.example/§ 2x, /§ 1x',
  'https://photos.example/<§>\u0000\n.jpg',
  `https://photos.example/§${'香'.repeat(200)}`,
  'https://§:secret@photos.example/a.jpg',
  '/fotos/§.jpg',
  '//photos.example/§.jpg',
  'javascript:alert("§")',
  'data:text/html,<script>§</script>',
]
const IDS = [...listWords(`§ <b>§ "§" §é §e\u0301 §%2F%2e §&a=1;b §?a#b __proto__§ §.html §/a`), "§' x=y"]
const VALUES = [null, '12', -1, 0, 1300, 99.5, 1e308, 'NaN', true, [], {}, { price: 700, available: true }]

const fill = (kind: Kind, texts: readonly string[]): fc.Arbitrary<string> =>
  fc.constantFrom(...texts).map((one) => one.replaceAll('§', MARKS[kind]))
const value = fc.constantFrom<unknown>(...VALUES)
const id = fill('id', IDS)

function orValue(often: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 8, arbitrary: often }, { weight: 1, arbitrary: value })
}

function text(kind: Kind): fc.Arbitrary<unknown> {
  const pieces = fc.array(fill(kind, PIECES), { maxLength: 14 }).map((all) => all.join(''))
  return orValue(fc.oneof(fill(kind, TEXTS), pieces))
}

function hostileProduct(her: string): fc.Arbitrary<SourceDocument> {
  const fields = fc.record({
    name: text('shown'),
    photo: orValue(fill('photo', ADDRESSES)),
    price: value,
    available: value,
    _5ml: value,
    _10ml: value,
    description: text('unseen'),
    owner: fc.record({ id: fc.constant(her), name: text('unseen') }),
  })
  return fc.tuple(id, fc.nat(9), fields).map(([one, at, data]) => product(one + at, her, data))
}

const STORY = id.chain((her) => {
  const names = {
    fName: text('shown'),
    lName: text('shown'),
    whatsapp: text('unseen'),
    email: text('unseen'),
  }
  return fc.record({
    her: fc.constant(her),
    photos: fc.constantFrom(...PHOTOS),
    profile: fc.record(names).map((data): SourceDocument => ({ ...user(her), data })),
    products: fc.array(hostileProduct(her), { minLength: 1, maxLength: 12, size: 'max' }),
    query: text('shown'),
  })
})

/** Sellers whose pages have everything that a page can have. */
const HONEST: Documents = Array.from({ length: 6 }, (_, at): Documents => {
  const own = (name: string, fields: object): SourceDocument => product(name + at, `s${at}`, { ...fields })
  const resized = { photo: 'https://firebasestorage.googleapis.com/v0/b/a.jpg' }
  const many = Array.from({ length: at === 0 ? 30 : 1 }, (__, number) => own(`a${number}-`, resized))
  const odd = [
    own('b', { price: null, photo: null, available: at > 2, _5ml: null, _10ml: null }),
    own('c', { available: false, _5ml: null, _10ml: { price: 500, available: true } }),
  ]
  const profile = at % 2 === 0 ? withNumber(user(`s${at}`), '809-555-0100') : user(`s${at}`, 'Él & Ella <3')
  return [profile, ...many, ...(at === 1 ? [] : odd)]
}).flat()

const path = useSharedFolder()
let built = 0
let renderer: Renderer

interface HonestSite {
  readonly files: Files
  /** Names of elements and attributes in its pages. */
  readonly names: ReadonlySet<string>
}

/** By the setting of photos. */
const honest = new Map<string, HonestSite>()

beforeAll(async () => {
  await ensureCompiled()
  renderer = await loadRenderer(findSampleServer(), SITE)
  for (const photos of PHOTOS) {
    const files = await build(HONEST, photos)
    const pages = [...Object.entries(files), ['search', await renderResults(HONEST, 's1', 'rosa')] as const]
    const names = pages.flatMap(([name, page]) => (isMarkup(name) ? [...readMarkup(name, page).names] : []))
    honest.set(photos, { files, names: new Set(names) })
  }
})

/** Returns the text of each file. */
async function build(documents: Documents, photos: string): Promise<Files> {
  const folder = path(String((built += 1)))
  const output = join(folder, 'dist')
  const env = { ...SETTINGS, PHOTOS: photos }
  const place = {
    source: writeFolder(join(folder, 'source'), documents),
    output,
    state: join(folder, 'state'),
  }
  const { code, stderr } = await rebuildHere({ ...place, env }, '--verify')
  // Pages that are too large fail.
  expect([0, 6], stderr).toContain(code)
  const { '.vitrina': _, ...files } = readFiles(output)
  return files
}

/** Renders the page of results with all products of these documents. */
async function renderResults(documents: Documents, her: string, query: string): Promise<string> {
  const entries = documents.flatMap((document) => parseDocument(document, () => {}) ?? [])
  const seller = { id: her, name: String(Object(documents[0]?.data).fName) || 'Ana' }
  const products = entries.flatMap((one): readonly FoundProduct[] =>
    one.kind === 'product'
      ? [
          {
            ...readCard(`${formatCard(one.product, null, { seller: her, switches: SITE })}\n`, 0),
            seller,
          },
        ]
      : [],
  )
  const sellers = [{ ...seller, products: 2 }]
  const shell = (await renderer.render({ kind: 'search' })).join('')
  const asked = { query: cleanQuery(query), decants: 'todos' } as const
  return fillSearchPage(shell, asked, { products, sellers, isMore: true, isNear: false })
}

function isMarkup(name: string): boolean {
  return /\.(html|xml)$|^search$/.test(name)
}

interface Markup {
  /** Names of elements, and of attributes as `element@attribute`. */
  readonly names: ReadonlySet<string>
  /** What is in a wrong place, in words. */
  readonly problems: readonly string[]
}

function readMarkup(file: string, markup: string): Markup {
  const names = new Set<string>()
  const problems: string[] = []
  const open: { readonly name: string; readonly isJson: boolean; json: string }[] = []
  const find = (words: string, place: string): void => {
    const more = file === 'search' && PLACES_OF_QUERY.includes(place) ? ['shown'] : []
    const kinds = (Object.keys(MARKS) as Kind[]).filter((kind) => words.toLowerCase().includes(MARKS[kind]))
    const wrong = kinds.filter((kind) => !PLACES[kind].includes(place) && !more.includes(kind))
    problems.push(...wrong.map((kind) => `a text of kind ${kind} is in ${place}: ${words.slice(0, 200)}`))
  }
  const readAttribute = (place: string, words: string): void => {
    names.add(place)
    const isSearch = words.startsWith('/buscar?')
    find(words, words.startsWith('https://wa.me/') ? 'message' : isSearch ? 'search' : place)
    if (/[<>]/.test(words)) problems.push(`${place} has an unescaped < or >`)
    const isAddress = /@(href|src|action|formaction|data-module)$/.test(place)
    if (isAddress && !/^(?:https?:\/\/|\/|#|$)/.test(words)) problems.push(`${place} leads to ${words}`)
  }
  const readJson = (json: string): void => {
    JSON.parse(json, (key, words: unknown) => {
      find(key, 'the name of a field of structured data')
      if (typeof words === 'string') find(words, 'json')
    })
  }
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        names.add(name)
        find(name, 'the name of an element')
        open.push({ name, isJson: attributes['type'] === 'application/ld+json', json: '' })
        for (const [attribute, words] of Object.entries(attributes)) {
          find(attribute, 'the name of an attribute')
          readAttribute(`${name}@${attribute}`, words)
        }
      },
      ontext: (words) => {
        const parent = open.at(-1)
        if (parent?.isJson === true) parent.json += words
        else find(words, parent?.name ?? 'the text outside of all elements')
      },
      oncomment: (words) => find(words, 'a comment'),
      onprocessinginstruction: (name, words) => find(`${name} ${words}`, 'an instruction'),
      onclosetag: () => {
        const closed = open.pop()
        if (closed?.isJson === true) readJson(closed.json)
      },
    },
    { decodeEntities: false, xmlMode: file.endsWith('.xml') },
  )
  parser.end(markup)
  return { names, problems }
}

function listSitemap(files: Files): readonly string[] {
  const sitemaps = Object.entries(files).filter(([name]) => name.startsWith('sitemaps/'))
  return sitemaps.flatMap(([name, xml]) =>
    (xml.match(/<url>.*<\/url>/g) ?? []).map((line) => `${name} ${line}`),
  )
}

it('texts of a hostile seller stay in their places, and change no file of another one', async () => {
  const property = fc.asyncProperty(STORY, async ({ her, photos, profile, products, query }) => {
    const hers = [profile, ...products]
    const [files, without] = [await build([...HONEST, ...hers], photos), honest.get(photos)]
    const isHers = (name: string): boolean =>
      name === `catalogo/${her}.html` || name.startsWith(`catalogo/${her}/`)
    const isList = (name: string): boolean => /^(?:sitemap|buscar\/|estado\.json)/.test(name)
    const isOthers = ([name]: readonly [string, string]): boolean => !isHers(name) && !isList(name)
    const others = Object.entries(files).filter(isOthers)
    expect(others).toEqual(Object.entries(without?.files ?? {}).filter(isOthers))
    const listed = listSitemap(files).filter((line) => !line.includes(MARKS.id))
    expect(listed).toEqual(listSitemap(without?.files ?? {}))
    const results = ['search', await renderResults(hers, her, String(query))] as const
    for (const [name, page] of [results, ...Object.entries(files)]) {
      if (!isMarkup(name)) continue
      const { names, problems } = readMarkup(name, page)
      expect(problems, name).toEqual([])
      expect(
        [...names].filter((one) => without?.names.has(one) !== true),
        name,
      ).toEqual([])
    }
  })
  await fc.assert(property, { numRuns: STORIES, seed: SEED, endOnFailure: true })
})
