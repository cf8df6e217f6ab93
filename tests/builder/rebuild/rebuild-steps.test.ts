import { rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import type { Page } from '../../../src/domain/pages/page.ts'
import { UsageError } from '../../../src/builder/files/usage-error.ts'
import { createFileReader } from '../../../src/builder/rebuild/check/file-reader.ts'
import { LARGEST_FILE } from '../../../src/builder/rebuild/render/render-page.ts'
import { createRebuildReport } from '../../../src/builder/commands/rebuild/rebuild-report.ts'
import { product, user } from '../../support/rebuild/documents.ts'
import { readFiles, readFileStamps } from '../../support/run/files.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import type { World } from '../../../src/builder/rebuild/world.ts'
import type { Snapshot } from '../../../src/builder/state/snapshot/snapshot.ts'
import type { WorldSetup } from '../../support/rebuild/world.ts'
import { renderPlain, runInWorld } from '../../support/rebuild/world.ts'

const path = useTemporaryFolder()

const DOCUMENTS: readonly SourceDocument[] = ['ana', 'luz', 'eva'].flatMap((id) => [
  user(id, id.toUpperCase(), ''),
  product(`p-${id}`, id),
])

/** The documents with another price for one seller's product. */
function withPrice(seller: string, price: number): readonly SourceDocument[] {
  return DOCUMENTS.map((one) => (one.id === `p-${seller}` ? product(one.id, seller, { price }) : one))
}

const run = (setup: Partial<WorldSetup> = {}) =>
  runInWorld({ folder: path(), documents: DOCUMENTS, ...setup })
const dist = () => readFiles(path('dist'))
const countPages = async (running: ReturnType<typeof run>) => createRebuildReport(await running, 0).pages

function doublePrice(one: SourceDocument): SourceDocument {
  return one.collection === 'users' ? one : product(one.id, one.id.slice(2), { price: 2 })
}

/** Rendering throws for the catalogues of these sellers. */
function failFor(...sellers: readonly string[]): (page: Page) => string {
  return (page) => {
    if (page.kind === 'catalogue' && sellers.includes(page.catalogue.seller))
      throw new Error(`no page for ${page.catalogue.seller}`)
    return renderPlain(page)
  }
}

// The store of renderers is lost, and nothing is rendered.
const loseRenderer = (world: World): World => ({
  ...world,
  renderers: { ...world.renderers, find: () => null },
})

describe('a run', () => {
  it('writes every page and file once, and the next run writes nothing', async () => {
    expect(await countPages(run())).toEqual({ rendered: 3, unchanged: 0, removed: 0, failed: 0 })
    const files = ['.assetsignore', '.vitrina', '_astro/app.one.js', '_headers', 'a/b.txt', 'favicon.svg']
    expect(Object.keys(dist())).toEqual(expect.arrayContaining([...files, '404.html', 'index.html']))
    const catalogues = ['404', 'ana', 'eva', 'luz'].map((name) => `catalogo/${name}.html`)
    expect(Object.keys(dist()).filter((name) => name.startsWith('catalogo/'))).toEqual(catalogues)
    const before = readFileStamps(path('dist'))
    expect(await countPages(run())).toEqual({ rendered: 0, unchanged: 3, removed: 0, failed: 0 })
    expect(readFileStamps(path('dist'))).toEqual(before)
  })

  it('renders every page again with --full, and writes none with the same bytes', async () => {
    await run()
    const before = readFileStamps(path('dist'))
    expect(await countPages(run({ options: { isFull: true } }))).toMatchObject({ rendered: 3 })
    expect(readFileStamps(path('dist'))).toEqual(before)
  })

  it('reports a page that the edge would not serve, keeps its old version and writes the others', async () => {
    await run()
    const before = dist()
    const render = (page: Page): string =>
      page.kind === 'catalogue' && page.catalogue.seller === 'eva'
        ? 'x'.repeat(LARGEST_FILE)
        : renderPlain(page)
    const { failures } = await run({ documents: DOCUMENTS.map(doublePrice), render })
    expect(failures).toEqual([
      { path: 'catalogo/eva.html', seller: 'eva', reason: expect.stringContaining('up to 25 MiB') },
    ])
    const changed = Object.keys(dist()).filter((name) => dist()[name] !== before[name])
    expect(changed).toEqual(['.vitrina', 'catalogo/ana.html', 'catalogo/luz.html'])
  })

  it('does not load the renderer when there is nothing to render', async () => {
    await run()
    const load = () => Promise.reject(new Error('it was loaded'))
    await expect(
      run({ wrap: (world) => ({ ...world, renderers: { ...world.renderers, load } }) }),
    ).resolves.toMatchObject({
      failures: [],
    })
  })

  it('changes no page when the renderer cannot be loaded, and the next run renders it', async () => {
    await run()
    const before = dist()
    const load = () => Promise.reject(new Error('no renderer'))
    const documents = withPrice('luz', 5)
    await expect(
      run({ documents, wrap: (world) => ({ ...world, renderers: { ...world.renderers, load } }) }),
    ).rejects.toThrow('no renderer')
    expect(dist()).toEqual(before)
    expect(await countPages(run({ documents }))).toMatchObject({ rendered: 1 })
  })

  it('changes nothing when the code does not compile, and the next run renders it', async () => {
    await run()
    const before = dist()
    const compile = () => Promise.reject(new Error('no compile'))
    const documents = withPrice('luz', 5)
    const wrap: WorldSetup['wrap'] = (world) => ({
      ...world,
      renderers: { ...world.renderers, find: () => null, compile },
    })
    await expect(run({ documents, code: 'two', wrap })).rejects.toThrow('no compile')
    expect(dist()).toEqual(before)
    expect(await countPages(run({ documents }))).toMatchObject({ rendered: 1, unchanged: 2 })
  })

  it('refuses two sellers whose pages would share a file, before any page is written', async () => {
    const documents = [...DOCUMENTS, user('ANA')]
    const wrap: WorldSetup['wrap'] = (world) => ({
      ...world,
      state: { ...world.state, output: { ...world.state.output, ignoresCase: () => true } },
    })
    await expect(run({ documents, wrap })).rejects.toThrow(UsageError)
    expect(Object.keys(dist()).filter((name) => name.endsWith('.html'))).toEqual([])
    await expect(run({ documents: [...DOCUMENTS, user('ANÁ')], wrap })).resolves.toMatchObject({
      failures: [],
    })
  })

  describe('that verifies', () => {
    const render = (page: Page): string =>
      page.kind === 'home' ? '<a href="/catalogo/ana">x</a><img src="/lost.svg">' : renderPlain(page)
    const verify = { render, options: { isVerify: true } }

    it('refuses a broken reference, whether it writes the page or finds it', async () => {
      await expect(run(verify)).rejects.toThrow('index.html refers to /lost.svg')
      await run({ render })
      await expect(run(verify)).rejects.toThrow('index.html refers to /lost.svg')
    })

    it('refuses a reference to a page that it removes', async () => {
      await run({ render })
      const documents = DOCUMENTS.filter(({ id }) => !id.endsWith('ana'))
      await expect(run({ ...verify, documents })).rejects.toThrow(/\/catalogo\/ana.*\/lost\.svg/)
    })

    it('reads each file once, unless it changes one', async () => {
      await run()
      const reads: string[] = []
      const options = { isVerify: true }
      const wrap: WorldSetup['wrap'] = (world) => {
        const read = (name: string): Uint8Array | null => (reads.push(name), world.state.output.read(name))
        return { ...world, files: createFileReader({ read }) }
      }
      const { references } = await run({ options, wrap })
      expect(reads.toSorted()).toEqual([...new Set(reads)].sort())
      expect(reads).toEqual(expect.arrayContaining(['index.html', 'catalogo/ana.html', 'favicon.svg']))
      reads.length = 0
      rmSync(path('dist/catalogo/ana.html'))
      expect((await run({ options, wrap })).references).toBe(references)
      expect(reads.filter((name) => name === 'index.html')).toHaveLength(2)
    })

    it('repairs a module that no longer parses', async () => {
      await run()
      writeFileSync(path('dist/_astro/app.one.js'), 'import {')
      expect((await run({ options: { isVerify: true } })).preparation.check?.damaged).toEqual([
        '_astro/app.one.js',
      ])
    })
  })
})

/** Throws in rendering only: the plan and the rendering of a sitemap file each read its bucket. */
function failOnSecondRead(world: World): World {
  const { snapshot } = world.state
  const seen = new Set<number>()
  const readBucket: Snapshot['readBucket'] = (bucket) => {
    if (seen.has(bucket)) throw new Error('no sitemap')
    seen.add(bucket)
    return snapshot.readBucket(bucket)
  }
  return { ...world, state: { ...world.state, snapshot: { ...snapshot, readBucket } } }
}

describe('a page that throws', () => {
  it('is tried again when it is a new file of the sitemap', async () => {
    const documents = [...DOCUMENTS, user('new', 'New', ''), product('p-new', 'new')]
    await run()
    expect((await run({ documents, wrap: failOnSecondRead })).failures).toEqual([
      expect.objectContaining({ reason: 'no sitemap' }),
    ])
    await run({ documents })
    await runInWorld({ folder: path('clean'), documents })
    expect(dist()).toEqual(readFiles(path('clean/dist')))
  })

  it('because of new code keeps its inline code allowed and its files, until no page of that code is left', async () => {
    const allowed = (): readonly string[] => {
      const { _headers: headers = '' } = dist()
      return [...headers.matchAll(/ (script-(?!src)\w+)/g)].map(([, hash = '']) => hash)
    }
    await run()
    for (const code of ['two', 'three', 'four', 'five']) {
      await run({ code, render: failFor('luz') })
      expect(allowed()).toEqual([`script-${code}`, 'script-one'])
      expect(dist()).toHaveProperty(['_astro/app.one.js'])
    }
    const documents = DOCUMENTS.filter(({ id }) => !id.endsWith('luz'))
    await run({ code: 'five', documents, wrap: loseRenderer })
    await runInWorld({ folder: path('clean'), documents, code: 'five' })
    expect(dist()['_headers']).toBe(readFiles(path('clean/dist'))['_headers'])
  })

  it('may be one that belongs to no seller', async () => {
    await run()
    const render = (page: Page): string => {
      if (page.kind === 'not-found') throw new Error('no 404')
      return renderPlain(page)
    }
    const outcome = await run({ siteName: 'Otra', render })
    expect(outcome.failures).toEqual([{ path: '404.html', seller: null, reason: 'no 404' }])
    expect(createRebuildReport(outcome, 0).pages).toEqual({
      rendered: 3,
      unchanged: 0,
      removed: 0,
      failed: 0,
    })
    expect(createRebuildReport(outcome, 0).exit).toBe(6)
    await run({ siteName: 'Otra' })
    expect(dist()['404.html']).toContain('Otra')
  })

  it('may throw anything', async () => {
    const render = (): string => {
      throw 'only text' as unknown as Error
    }
    expect((await run({ render })).failures).toContainEqual({
      path: 'index.html',
      seller: null,
      reason: 'only text',
    })
  })
})

describe('a hashed file', () => {
  it('of earlier code is retained for three generations without a header rule, and then removed', async () => {
    const kept: string[] = []
    for (const code of ['one', 'two', 'three', 'four', 'five']) {
      await run({ code })
      if ('_astro/app.one.js' in dist()) kept.push(code)
      expect(dist()['_headers']?.includes('app.one.js')).toBe(code === 'one')
    }
    expect(kept).toEqual(['one', 'two', 'three', 'four'])
  })

  it('of code that came back is current again', async () => {
    for (const code of ['one', 'two', 'one']) await run({ code })
    expect(dist()['_headers']).toContain('/_astro/app.one.js')
    for (const code of ['three', 'four', 'five']) await run({ code })
    expect(dist()).toHaveProperty(['_astro/app.one.js'])
    await run({ code: 'six' })
    expect(dist()).not.toHaveProperty(['_astro/app.one.js'])
  })

  it('of earlier code is removed at once if the state is lost', async () => {
    for (const code of ['one', 'two']) await run({ code })
    rmSync(path('state'), { recursive: true })
    await run({ code: 'two' })
    expect(dist()).not.toHaveProperty(['_astro/app.one.js'])
  })
})
