/** A publish to a bucket in memory, from a real output folder. */
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { BucketClient } from '../../../src/builder/publish/bucket-client.ts'
import type { RebuildOutcome } from '../../../src/builder/rebuild/rebuild.ts'
import type { BucketPublish } from '../../../src/builder/publish/bucket.ts'
import { publishToBucket } from '../../../src/builder/publish/bucket.ts'
import { createOutput, listFilesBelow } from '../../../src/builder/state/output.ts'
import { product, user } from '../../support/rebuild/documents.ts'
import { renderPlain, runInWorld } from '../../support/rebuild/world.ts'
import { useTemporaryFolder, writeTree } from '../../support/run/temporary.ts'

const temporary = useTemporaryFolder()

type Files = Readonly<Record<string, string>>

/** A page that shows files; its references are found by `findMissing`. */
function createPage(...paths: readonly string[]): string {
  return paths.map((path) => `<a href="/${path}">`).join('\n')
}

function createSeller(id: string, asset: string, products: Files): Files {
  const pages = Object.entries(products).map(([name, picture]) => [
    `catalogo/${id}/${name}.html`,
    createPage(asset, picture),
  ])
  const links = Object.keys(products).map((name) => `catalogo/${id}/${name}.html`)
  const pictures = Object.fromEntries(Object.values(products).map((picture) => [picture, picture]))
  return {
    ...pictures,
    ...Object.fromEntries(pages),
    [`catalogo/${id}.html`]: createPage(asset, ...Object.values(products), ...links),
  }
}

function createSite(asset: string, ...sellers: readonly Files[]): Files {
  const files: Files = Object.assign({}, ...sellers)
  const catalogues = Object.keys(files).filter((path) => /^catalogo\/[^/]+\.html$/.test(path))
  return {
    ...files,
    _headers: `/*\n  Content-Security-Policy: script-src ${asset}\n`,
    [asset]: asset,
    'logo.svg': asset,
    'index.html': createPage(asset, 'logo.svg', ...catalogues),
    'sitemap.xml': catalogues.join(' '),
    'buscar/00.txt': catalogues.join(' '),
    'estado.json': `closed ${asset} ${Object.keys(files).join(' ')}`,
  }
}

const ANABEL = { p1: 'fotos/n1.avif', p2: 'fotos/n2.avif' }
const BEFORE = createSite(
  '_astro/1.js',
  createSeller('ana', '_astro/1.js', { p1: 'fotos/1.avif', p2: 'fotos/2.avif' }),
  createSeller('anabel', '_astro/1.js', ANABEL),
  createSeller('berta', '_astro/1.js', { p1: 'fotos/b.avif' }),
)
/** Other code and other sellers. */
const AFTER = createSite(
  '_astro/2.js',
  createSeller('ana', '_astro/2.js', { p1: 'fotos/3.avif', p3: 'fotos/2.avif' }),
  createSeller('anabel', '_astro/2.js', ANABEL),
  createSeller('carla', '_astro/2.js', { p1: 'fotos/c.avif' }),
)
/** One seller has another picture and another product, and one is gone. */
const CHANGED = createSite(
  '_astro/1.js',
  createSeller('ana', '_astro/1.js', { p1: 'fotos/3.avif', p3: 'fotos/2.avif' }),
  createSeller('anabel', '_astro/1.js', ANABEL),
)
const DUE = {
  sellers: ['ana', 'berta'],
  pictures: ['fotos/3.avif'],
  lists: ['index.html', 'sitemap.xml', 'buscar/00.txt'],
}

class Killed extends Error {}

interface MemoryBucket extends BucketClient {
  readonly files: Map<string, string>
  /** Keys of the changes so far. */
  readonly changed: string[]
}

/** What pages show must be there at each instant, and what a new page links to must be there before it. The change with number `last` is the last one. */
function createBucket(files: Files, last = Infinity): MemoryBucket {
  const stored = new Map(Object.entries(files))
  const changed: string[] = []
  const change = async (key: string, work: () => void): Promise<void> => {
    // Product pages take longest.
    for (const _ of key.split('/')) await new Promise((resolve) => setImmediate(resolve))
    if (changed.length >= last) throw new Killed()
    changed.push(key)
    work()
    expect(findMissing(stored), `after ${changed.join(' ')}`).toEqual([])
  }
  return {
    files: stored,
    changed,
    list: async (prefix) => {
      const found = [...stored].filter(([key]) => key.startsWith(prefix))
      return new Map(found.map(([key, text]) => [key, createHash('md5').update(text).digest('hex')]))
    },
    put: (key, bytes) =>
      change(key, () => {
        const text = new TextDecoder().decode(bytes)
        stored.set(key, text)
        expect(listLinks(text).filter((path) => !stored.has(path))).toEqual([])
      }),
    remove: (key) => change(key, () => stored.delete(key)),
    readPolicy: async () => /script-src (.*)/.exec(stored.get('_headers') ?? '')?.[1] ?? '',
  }
}

/** Returns assets and pictures that pages show and that are missing, and assets that the policy does not permit. */
function findMissing(files: ReadonlyMap<string, string>): readonly string[] {
  const policy = files.get('_headers') ?? ''
  return [...files]
    .filter(([path]) => path.endsWith('.html'))
    .flatMap(([, text]) => listLinks(text))
    .filter((path) => !path.endsWith('.html'))
    .filter((path) => !files.has(path) || (path.startsWith('_astro/') && !policy.includes(path)))
}

function listLinks(text: string): readonly string[] {
  return Array.from(text.matchAll(/href="\/(?<path>[^"]+)"/g), ({ groups }) => groups?.['path'] ?? '')
}

function publish(
  client: BucketClient,
  parts: Partial<BucketPublish> = {},
  folder = temporary('dist'),
): Promise<unknown> {
  const output = createOutput(folder)
  const closed = new TextDecoder().decode(output.read('estado.json') ?? undefined)
  const own = new TextDecoder().decode(output.read('_headers') ?? undefined)
  return publishToBucket({
    output,
    client,
    due: 'everything',
    failing: new Set(),
    keptAssets: [],
    markers: { open: closed.replace('closed', 'open'), closed },
    formatHeaders: (policy) =>
      own.includes(policy) ? own : own.replace('script-src', `script-src ${policy}`),
    wait: async () => {},
    progress: () => {},
    ...parts,
  })
}

function readSite(folder: string): Files {
  const output = createOutput(folder)
  const paths = listFilesBelow(output, '')
  return Object.fromEntries(
    paths.map((path) => [path, new TextDecoder().decode(output.read(path) ?? undefined)]),
  )
}

function writeSite(files: Files): void {
  rmSync(temporary('dist'), { recursive: true, force: true })
  writeTree(temporary('dist'), files)
}

const STORIES = [
  ['everything', BEFORE, AFTER, 'everything'],
  ['everything, into an empty bucket', {}, AFTER, 'everything'],
  ['the sellers who changed', BEFORE, CHANGED, DUE],
] as const

describe.each(STORIES)('a publish of %s', (_, before, after, due) => {
  beforeEach(() => writeSite(after))

  it('leaves the bucket like the output folder, with the closed marker as its last change', async () => {
    const bucket = createBucket(before)
    await publish(bucket, { due })
    const known =
      due === 'everything'
        ? after
        : { ...after, 'fotos/1.avif': 'fotos/1.avif', 'fotos/b.avif': 'fotos/b.avif' }
    expect(Object.fromEntries(bucket.files)).toEqual(known)
    expect([bucket.changed[0], bucket.changed.at(-1)]).toEqual(['estado.json', 'estado.json'])
    const again = createBucket(Object.fromEntries(bucket.files))
    await publish(again, { due })
    expect(again.changed).toEqual(['estado.json', 'estado.json'])
  })

  it('that is cut off anywhere shows it in the marker, and is made good by a publish of everything', async () => {
    const all = createBucket(before)
    await publish(all, { due })
    for (let last = 1; last < all.changed.length; last += 1) {
      const bucket = createBucket(before, last)
      await expect(publish(bucket, { due })).rejects.toThrow(Killed)
      expect(bucket.files.get('estado.json')).toMatch(/^open/)
      const next = createBucket(Object.fromEntries(bucket.files))
      await publish(next)
      expect(Object.fromEntries(next.files)).toEqual(after)
    }
  })
})

it('a publish of one seller touches no other whose id begins with hers', async () => {
  writeSite(CHANGED)
  const bucket = createBucket(BEFORE)
  await publish(bucket, { due: { ...DUE, sellers: ['ana'] } })
  expect(bucket.changed.filter((key) => /anabel|n\d/.test(key))).toEqual([])
  expect(bucket.changed).toContain('catalogo/ana/p2.html')
})

it('pages of a seller with a failing page stay, and so does what they show', async () => {
  const kept = ['catalogo/ana/p2.html', '_astro/1.js', 'fotos/1.avif']
  for (const due of ['everything', DUE] as const) {
    writeSite(due === 'everything' ? AFTER : CHANGED)
    const bucket = createBucket(BEFORE)
    await publish(bucket, { due, failing: new Set(['ana']) })
    expect([...bucket.files.keys()]).toEqual(expect.arrayContaining(kept))
    expect(bucket.files.has('catalogo/berta.html')).toBe(false)
  }
})

it('hashed files of earlier renderers stay in a publish of everything', async () => {
  writeSite(AFTER)
  const bucket = createBucket(BEFORE)
  await publish(bucket, { keptAssets: ['_astro/1.js'] })
  expect(Object.fromEntries(bucket.files)).toEqual({
    ...readSite(temporary('dist')),
    '_astro/1.js': '_astro/1.js',
  })
})

it('no page is put before every isolate knows the headers of the new pages', async () => {
  for (const [before, waits] of [
    [BEFORE, [{ ms: 10_000, changed: ['estado.json', '_headers'] }]],
    [AFTER, []],
  ] as const) {
    writeSite(AFTER)
    const bucket = createBucket(before)
    const waited: unknown[] = []
    await publish(bucket, {
      wait: async (ms) => void waited.push({ ms, changed: [...bucket.changed] }),
      formatHeaders: () =>
        before === AFTER ? (AFTER['_headers'] ?? '') : `${BEFORE['_headers']}${AFTER['_headers']}`,
    })
    expect(waited).toEqual(waits)
    expect(bucket.files.get('_headers')).toBe(AFTER['_headers'])
  }
})

const STEP = fc.record({
  prices: fc.dictionary(fc.constantFrom('ana', 'anabel', 'b', 'c', 'd'), fc.integer({ min: 1, max: 4 })),
  code: fc.constantFrom('one', 'one', 'one', 'two'),
  failing: fc.constantFrom('', '', 'ana'),
  /** The last change before the publish is killed. */
  last: fc.constantFrom(Infinity, Infinity, 7, 20),
})
type Step = typeof STEP extends fc.Arbitrary<infer Value> ? Value : never

function rebuildSite(folder: string, { prices, code, failing }: Step): Promise<RebuildOutcome> {
  return runInWorld({
    folder,
    code,
    documents: Object.entries({ ...prices, other: 1 }).flatMap(([seller, price]) => [
      user(seller),
      product(`${seller}-1`, seller, { price }),
      ...(price > 2 ? [product(`${seller}-2`, seller)] : []),
    ]),
    options: { isShrinkAllowed: true },
    switches: { productPages: true, search: true, feeds: true },
    render: (page) => {
      if ('product' in page && page.seller.id === failing) throw new Error('a fault of the code')
      return renderPlain(page)
    },
  })
}

/** Hashed files, and inline code in `_headers`, stay until a publish of everything leaves nobody failing. */
function findDifferences(
  files: Files,
  site: Files,
  { isWhole, isFailing }: Record<'isWhole' | 'isFailing', boolean>,
) {
  const isExact = isWhole && !isFailing
  const differing = Object.keys(site).filter((path) => files[path] !== site[path])
  const strays = Object.keys(files).filter((path) => site[path] === undefined)
  return [
    ...differing.filter((path) => isExact || path !== '_headers'),
    ...(isFailing ? [] : strays.filter((path) => isExact || !path.startsWith('_astro/'))),
  ]
}

/** Rebuilds and publishes, and returns the files that are wrong in the bucket after a publish that ended. */
async function play(folder: string, steps: readonly Step[]): Promise<readonly string[]> {
  let files: Files = {}
  let isCutOff = true
  const wrong: string[] = []
  for (const step of steps) {
    const { everything, lookedAt, failed } = await rebuildSite(folder, step)
    const bucket = createBucket(files, step.last)
    const isWhole: boolean = isCutOff || everything !== null
    const failing = new Set(failed.map(({ seller }) => seller))
    const due: BucketPublish['due'] = isWhole ? 'everything' : lookedAt
    isCutOff = await publish(bucket, { due, failing }, join(folder, 'dist')).then(
      () => false,
      (error: unknown) => {
        if (error instanceof Killed) return true
        throw error
      },
    )
    files = Object.fromEntries(bucket.files)
    const site = readSite(join(folder, 'dist'))
    if (!isCutOff) wrong.push(...findDifferences(files, site, { isWhole, isFailing: failing.size > 0 }))
  }
  return wrong
}

it('after any rebuild, what it has looked at is enough, unless a publish was cut off', async () => {
  let story = 0
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: 2, maxLength: 5 }), async (steps) => {
      expect(await play(temporary(`story-${(story += 1)}`), steps)).toEqual([])
    }),
    { numRuns: 25 },
  )
})
