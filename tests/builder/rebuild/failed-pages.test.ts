/** Pages that fail at their first rendering, or without an intact old version: the others may be published. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Page } from '../../../src/domain/pages/page.ts'
import { formatCataloguePath, formatProductFile } from '../../../src/domain/pages/paths.ts'
import { formatBucketFile } from '../../../src/domain/pages/sitemap.ts'
import { openLiveFile } from '../../../src/builder/publish/live-file.ts'
import { openPublishedState } from '../../../src/builder/publish/published-state.ts'
import type { Verification } from '../../../src/builder/publish/verify-site.ts'
import { verifySite } from '../../../src/builder/publish/verify-site.ts'
import type { RebuildOutcome } from '../../../src/builder/rebuild/rebuild.ts'
import type { SiteRecord } from '../../../src/builder/state/record/record.ts'
import { openRecord } from '../../../src/builder/state/record/open-record.ts'
import { openSnapshot } from '../../../src/builder/state/snapshot/open-snapshot.ts'
import { findSitemapBucket } from '../../../src/builder/state/snapshot/snapshot-reads.ts'
import { product, user } from '../../support/rebuild/documents.ts'
import { readFileStamps } from '../../support/run/files.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import type { WorldSetup } from '../../support/rebuild/world.ts'
import { runInWorld } from '../../support/rebuild/world.ts'

const path = useTemporaryFolder()

const GOOD = [user('ana'), product('a1', 'ana')]
const BAD = [user('bad'), product('b1', 'bad'), product('b2', 'bad'), user('1'), product('s1', '1')]

/** Pages of one seller refer to each other. */
function renderLinks(page: Page): string {
  if (page.kind === 'home') return page.stores.map((store) => `<a href="/catalogo/${store}">`).join('')
  if (page.kind === 'catalogue') {
    const { seller, products } = page.catalogue
    return products.map(({ id }) => `<a href="/${formatProductFile(seller, id).slice(0, -5)}">`).join('')
  }
  if (page.kind === 'product' || page.kind === 'unknown-product')
    return `<a href="${formatCataloguePath(page.seller.id)}">`
  return ''
}

/** Fails for the pages for which `isBad`. */
const run = (isBad: (page: Page) => boolean, setup: Partial<WorldSetup> = {}): Promise<RebuildOutcome> =>
  runInWorld({
    folder: path(),
    documents: [...GOOD, ...BAD],
    switches: { productPages: true },
    render: (page) => {
      if (isBad(page)) throw new Error('bad page')
      return renderLinks(page)
    },
    ...setup,
  })

const isProduct = (page: Page): boolean => page.kind === 'product' && page.product.id === 'b1'
const isCatalogue = (page: Page): boolean =>
  page.kind === 'catalogue' && ['bad', '1'].includes(page.catalogue.seller)

const isSellerPage = (page: Page, seller: string): boolean =>
  page.kind === 'catalogue' && page.catalogue.seller === seller

async function verify(isFull = false): Promise<Verification> {
  const record = openRecord(path('state/record.sqlite'))
  const snapshot = openSnapshot(path('state/snapshot.sqlite'))
  const published = openPublishedState(path('published.sqlite'), openLiveFile(path('live.json')))
  try {
    return await verifySite({ folder: path('dist'), record, snapshot, published, isFull })
  } finally {
    for (const one of [record, snapshot, published]) one.close()
  }
}

const readSitemap = (seller: string): string =>
  readFileSync(path('dist', formatBucketFile(findSitemapBucket(seller))), 'utf8')

it.each([
  ['product', isProduct, 1],
  ['catalogue', isCatalogue, 2],
] as const)(
  'of a %s, is reported, and neither --verify nor a publish is refused',
  async (_, isBad, count) => {
    for (const options of [{}, { isVerify: true }, {}, { isFull: true, isVerify: true }]) {
      const { failures } = await run(isBad, { options })
      expect(failures).toHaveLength(count)
      for (const isFull of [false, true]) await expect(verify(isFull)).resolves.toBeDefined()
    }
    expect((await run(() => false)).failures).toEqual([])
    await expect(run(() => false, { options: { isVerify: true } })).resolves.toMatchObject({ failures: [] })
  },
)

it('does not excuse what a page of another seller refers to', async () => {
  const render = (page: Page): string => {
    if (isProduct(page)) throw new Error('bad page')
    return `<a href="/catalogo/ana/lost">`
  }
  const options = { isVerify: true }
  await expect(run(isProduct, { render, options })).rejects.toThrow('refers to /catalogo/ana/lost')
  await expect(verify()).rejects.toThrow('refers to /catalogo/ana/lost')
})

it('is not in the sitemap as long as the catalogue never existed, and each run leaves it alone', async () => {
  await run(isCatalogue)
  const index = readFileSync(path('dist/sitemap.xml'), 'utf8')
  expect(index).not.toContain(formatBucketFile(findSitemapBucket('bad')))
  expect(readSitemap('ana')).toContain('/catalogo/ana<')
  const before = readFileStamps(path('dist'))
  await run(isCatalogue)
  expect(readFileStamps(path('dist'))).toEqual(before)
  await run(() => false)
  expect(readSitemap('bad')).toContain('/catalogo/bad<')
  const documents = [...GOOD, ...BAD.filter(({ id }) => id !== 'b2')]
  await run(isCatalogue, { documents })
  expect(readSitemap('bad'), 'an old page is still there').toContain('/catalogo/bad<')
})

it('ends the run instead when the data of a page cannot be read, and another run renders all', async () => {
  const locked = Object.assign(new Error('database is locked'), { errcode: 5 })
  const renderLocked = (page: Page): string => {
    if (isCatalogue(page)) throw locked
    return renderLinks(page)
  }
  await expect(run(() => false, { render: renderLocked })).rejects.toBe(locked)
  expect((await run(() => false)).failures).toEqual([])
})

it('ends the run instead when the record or the picture store cannot be read for its pictures', async () => {
  await run(() => false, { documents: GOOD })
  const before = readFileSync(path('dist/sitemap.xml'), 'utf8')
  const broken = Object.assign(new Error('disk I/O error'), { errcode: 10 })
  const wrap: WorldSetup['wrap'] = (world) => ({
    ...world,
    state: {
      ...world.state,
      pictures: {
        ...world.state.pictures,
        find: () => ({ photos: {}, social: 'social/bad.jpg' }),
        readFile: () => {
          throw broken
        },
      },
    },
  })
  await expect(run(() => false, { wrap })).rejects.toBe(broken)
  expect(readFileSync(path('dist/sitemap.xml'), 'utf8')).toBe(before)
  expect((await run(() => false)).failures).toEqual([])
})

describe('the old version of a page that fails', () => {
  const BAD_PAGE = 'catalogo/bad.html'
  const isBad = (page: Page): boolean => isCatalogue(page) && isSellerPage(page, 'bad')
  const isThere = (): boolean => existsSync(path('dist', BAD_PAGE))
  /** No other seller is in the same file of the sitemap. */
  const isListed = (): boolean => existsSync(path('dist', formatBucketFile(findSitemapBucket('bad'))))

  function useRecord<T>(use: (record: SiteRecord) => T): T {
    const record = openRecord(path('state/record.sqlite'))
    try {
      return use(record)
    } finally {
      record.close()
    }
  }

  async function expectPublishable(): Promise<void> {
    expect(useRecord((record) => record.countUnsure())).toBe(0)
    for (const isFull of [false, true]) await expect(verify(isFull)).resolves.toBeDefined()
  }

  it('is removed where the record was lost, and the others may be published', async () => {
    await run(() => false)
    rmSync(path('state/record.sqlite'))
    expect((await run(isBad)).failures).toHaveLength(1)
    expect(isThere()).toBe(false)
    expect(isListed()).toBe(false)
    await expectPublishable()
  })

  it.each([
    ['lost', () => rmSync(path('dist', BAD_PAGE))],
    ['damaged', () => writeFileSync(path('dist', BAD_PAGE), 'torn')],
  ])('is removed where it was %s, and the others may be published', async (_, damage) => {
    await run(() => false)
    const before = readFileSync(path('dist', BAD_PAGE), 'utf8')
    damage()
    for (const options of [{ isVerify: true }, {}]) {
      expect((await run(isBad, { options })).failures).toHaveLength(1)
      expect(isThere()).toBe(false)
      expect(isListed()).toBe(false)
      await expectPublishable()
    }
    await run(() => false)
    expect(readFileSync(path('dist', BAD_PAGE), 'utf8')).toBe(before)
    expect(isListed()).toBe(true)
  })

  it('stays where a run was interrupted before it wrote the page', async () => {
    await run(() => false)
    const before = readFileSync(path('dist', BAD_PAGE), 'utf8')
    useRecord((record) => record.markUnsurePaths([BAD_PAGE]))
    expect((await run(isBad)).failures).toHaveLength(1)
    expect(readFileSync(path('dist', BAD_PAGE), 'utf8')).toBe(before)
    await expectPublishable()
  })

  it('is removed where a picture that it shows is lost', async () => {
    const social = 'social/bad.jpg'
    const show =
      (isShown: boolean): WorldSetup['wrap'] =>
      (world) => ({
        ...world,
        state: {
          ...world.state,
          pictures: {
            ...world.state.pictures,
            find: () => ({ photos: {}, social: isShown ? social : null }),
            readFile: () => (isShown ? Buffer.from('picture') : null),
          },
        },
      })
    await run(() => false, { wrap: show(true) })
    rmSync(path('dist', social))
    await run(isBad, { wrap: show(false), options: { isVerify: true } })
    expect(isThere()).toBe(false)
    await expectPublishable()
  })

  it('may refer to a public file that was removed, unlike pages of other sellers', async () => {
    const drop: WorldSetup['wrap'] = (world) => {
      const { 'a/b.txt': _, ...publicFiles } = world.inputs.publicFiles
      return { ...world, inputs: { ...world.inputs, publicFiles } }
    }
    const render =
      (seller: string, fails: boolean) =>
      (page: Page): string => {
        if (fails && isBad(page)) throw new Error('bad page')
        return isSellerPage(page, seller) ? '<img src="/a/b.txt">' : ''
      }
    await run(() => false, { render: render('bad', false) })
    const setup = { wrap: drop, options: { isVerify: true } }
    for (let count = 0; count < 2; count += 1)
      expect((await run(isBad, { ...setup, code: 'two', render: render('', true) })).failures).toHaveLength(1)
    expect(readFileSync(path('dist', BAD_PAGE), 'utf8')).toContain('/a/b.txt')
    await expectPublishable()
    const refused = run(isBad, { ...setup, code: 'three', render: render('ana', true) })
    await expect(refused).rejects.toThrow('references: catalogo/ana.html refers to /a/b.txt. Correct')
    await expect(verify()).rejects.toThrow('catalogo/ana.html refers to /a/b.txt')
  })
})
