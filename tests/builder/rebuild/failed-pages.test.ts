/** Pages that cannot be rendered: they stay as they are, and their seller is listed nowhere until they do not fail. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { RebuildOutcome } from '../../../src/builder/rebuild/rebuild.ts'
import { LARGEST_FILE } from '../../../src/domain/pages/site.ts'
import type { Page } from '../../../src/domain/pages/page.ts'
import { product, user } from '../../support/rebuild/documents.ts'
import { readFiles } from '../../support/run/files.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'
import type { WorldSetup } from '../../support/rebuild/world.ts'
import { renderPlain, runInWorld } from '../../support/rebuild/world.ts'

const path = useTemporaryFolder()

const createDocuments = (price: number) =>
  ['ana', 'bad', '1'].flatMap((id) => [user(id), product(`${id}-1`, id, { price }), product(`${id}-2`, id)])

interface Setup extends Partial<WorldSetup> {
  readonly price?: number
  readonly isBad?: (page: Page) => boolean
}

const run = ({ price = 1, isBad = () => false, ...setup }: Setup = {}): Promise<RebuildOutcome> =>
  runInWorld({
    folder: path(),
    documents: createDocuments(price),
    switches: { productPages: true, feeds: true, search: true },
    render: (page) => {
      if (isBad(page)) throw new Error('bad page')
      return renderPlain(page)
    },
    ...setup,
  })

const readSite = () => readFiles(path('dist'))
const isBadProduct = (page: Page): boolean => page.kind === 'product' && page.product.id === 'bad-1'
const isBadCatalogue = (page: Page): boolean => page.kind === 'catalogue' && page.catalogue.seller === 'bad'
const listListing = (seller: string): readonly string[] =>
  Object.entries(readSite())
    .filter(([file, text]) => /^(?:sitemaps|buscar)\//.test(file) && text.includes(seller))
    .map(([file]) => file)

const MINUTE = 60_000
const DAY = 1_440 * MINUTE

describe.each([
  ['product', isBadProduct],
  ['catalogue', isBadCatalogue],
])('a seller whose page of a %s fails', (_, isBad) => {
  it('keeps that page and loses none, is listed nowhere, and does not hold up others', async () => {
    await run()
    const before = readSite()
    const { failures, failed } = await run({ isBad, price: 7 })
    expect(failures).toMatchObject([{ seller: 'bad', reason: 'bad page' }])
    expect(failed).toMatchObject([{ seller: 'bad', tries: 1 }])
    const changed = Object.keys(before).filter((file) => readSite()[file] !== before[file])
    expect(changed).not.toContain(failures[0]?.path)
    expect(Object.keys(readSite())).toEqual(
      expect.arrayContaining(['catalogo/bad.html', 'catalogo/bad/bad-1.html']),
    )
    expect(changed).toEqual(expect.arrayContaining(['catalogo/ana.html', 'catalogo/1/1-1.html']))
    expect(listListing('catalogo/bad<')).toEqual([])
  })

  it('is due again later, and at once with --full or her name', async () => {
    for (const setup of [{ now: DAY }, { options: { isFull: true } }, { options: { sellers: ['bad'] } }]) {
      await run({ isBad, options: { isFull: true } })
      expect(await run({ now: MINUTE / 2 })).toMatchObject({ isIdle: true, failed: [{ seller: 'bad' }] })
      expect(await run(setup)).toMatchObject({ isIdle: false, failed: [] })
      expect(listListing('catalogo/bad<')).toHaveLength(1)
      await run({ folder: path('clean') })
      expect({ ...readSite(), 'estado.json': '' }).toEqual({
        ...readFiles(path('clean/dist')),
        'estado.json': '',
      })
    }
  })
})

it('A seller who fails again and again is tried less and less often', async () => {
  let now = 0
  const delays: number[] = []
  for (let count = 0; count < 12; count += 1) {
    const { failed } = await run({ isBad: isBadCatalogue, now })
    delays.push((failed[0]?.next ?? 0) - now)
    now += DAY
  }
  expect(delays[0]).toBeLessThan(2 * MINUTE)
  expect(delays[11]).toBeGreaterThan(240 * MINUTE)
  expect(Math.max(...delays)).toBeLessThan(480 * MINUTE)
})

it('A home page that fails stays as it was, and is written later', async () => {
  await run()
  const before = readSite()['index.html']
  const isBad = (page: Page): boolean => page.kind === 'home'
  const outcome = await run({ isBad, siteName: 'Otra' })
  expect(outcome.failures).toEqual([{ path: 'index.html', seller: '', reason: 'bad page' }])
  expect(readSite()['index.html']).toBe(before)
  expect(await run({ siteName: 'Otra', now: DAY })).toMatchObject({ failed: [] })
  expect(readSite()['index.html']).toContain('Otra')
})

it('A page that the edge would not serve fails', async () => {
  const render = (page: Page): string => (isBadCatalogue(page) ? 'x'.repeat(LARGEST_FILE) : renderPlain(page))
  expect((await run({ render })).failures).toEqual([
    { path: 'catalogo/bad.html', seller: 'bad', reason: expect.stringContaining('up to 25 MiB') },
  ])
})

it('A page may throw anything', async () => {
  const render = (): string => {
    throw 'only text' as unknown as Error
  }
  expect((await run({ render })).failures).toContainEqual({
    path: 'index.html',
    seller: '',
    reason: 'only text',
  })
})

it('A database that cannot be read ends the run, and the next one writes everything', async () => {
  const broken = Object.assign(new Error('disk I/O error'), { errcode: 10 })
  const readFile = (): never => {
    throw broken
  }
  const find = () => ({ pictures: { photos: new Map(), social: 'social/bad.jpg' }, previews: {} })
  const wrap: WorldSetup['wrap'] = (world) => ({ ...world, pictures: { ...world.pictures, find, readFile } })
  await expect(run({ wrap })).rejects.toBe(broken)
  expect(JSON.parse(readFileSync(path('dist/estado.json'), 'utf8'))).toMatchObject({ state: 'open' })
  expect(await run()).toMatchObject({ failed: [], everything: 'the last run did not end' })
})

it('Older inline code stays permitted until no page of it is left', async () => {
  const findPermitted = () =>
    [...(readSite()['_headers'] ?? '').matchAll(/'sha256-(\w+)'/g)].map(([, code]) => code)
  await run()
  for (const code of ['two', 'three']) {
    await run({ code, isBad: isBadCatalogue, now: DAY })
    expect(findPermitted()).toEqual(expect.arrayContaining([code, 'one']))
    expect(readSite()).toHaveProperty(['_astro/app.one.js'])
  }
  await run({ code: 'three', options: { isFull: true } })
  expect(findPermitted()).toEqual(['three'])
  expect(readSite()).not.toHaveProperty(['_astro/app.one.js'])
})
