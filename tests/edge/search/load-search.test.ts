/** The search files are read once, by one request, and again after a failure. */
import { expect, it } from 'vitest'
import { hashPlace } from '../../../src/domain/search/format-search-file.ts'
import { parseSearchFile } from '../../../src/domain/search/search-file.ts'
import type { FetchFile } from '../../../src/edge/search/load-search.ts'
import { createSearchLoader } from '../../../src/edge/search/load-search.ts'
import { createAssets } from '../../support/search/search-assets.ts'
import { createEntry, createProduct } from '../../support/search/search-oracle.ts'

const CHANEL = { query: 'chanel', decants: 'todos' } as const

const createFetch =
  (assets = createAssets()): FetchFile =>
  (path) =>
    assets.fetch(new Request(`https://vitrina.example${path}`))

/** The clock advances with each wait. */
function createClock(): { now: () => number; wait: (ms: number) => Promise<void> } {
  let time = 0
  return {
    now: () => time,
    wait: async (ms) => {
      time += ms
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

it('the search reads each file once for all requests, four at a time', async () => {
  const assets = createAssets()
  let [running, most] = [0, 0]
  const fetchFile: FetchFile = async (path) => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
    return createFetch(assets)(path)
  }
  const load = createSearchLoader(createClock())
  const searches = await Promise.all([load(fetchFile), load(fetchFile), load(fetchFile)])
  expect(new Set(searches).size).toBe(1)
  expect(searches[0]?.(CHANEL).products.length).toBeGreaterThan(0)
  expect(assets.requested).toHaveLength(32)
  expect(new Set(assets.requested).size).toBe(32)
  expect(most).toBe(4)
})

it('the read of the search files goes on in another request when the one that reads was cancelled', async () => {
  const load = createSearchLoader(createClock())
  const assets = createAssets()
  void load(() => new Promise(() => {}))
  const search = await load(createFetch(assets))
  expect(search(CHANEL).products.length).toBeGreaterThan(0)
})

it('the search fails for a missing file and for an unknown format, and reads them again at once', async () => {
  const assets = createAssets()
  const path = '/buscar/1f.txt'
  const text = assets.files.get(path) ?? ''
  const clock = createClock()
  const load = createSearchLoader(clock)
  assets.files.delete(path)
  await expect(load(createFetch(assets))).rejects.toThrow('buscar/1f.txt cannot be read: status 404')
  assets.files.set(path, text.replace('vitrina-search', 'vitrina-other'))
  await expect(load(createFetch(assets))).rejects.toThrow('a format that this version does not know')
  assets.files.set(path, text.replace(/\f32\f/, '\f64\f'))
  await expect(load(createFetch(assets))).rejects.toThrow('belong to different sites')
  assets.files.set(path, text)
  expect((await load(createFetch(assets)))(CHANEL).products.length).toBeGreaterThan(0)
  expect(clock.now()).toBe(0)
})

it('the search refuses a file that was read before if it belongs to another site, and ignores one beyond the last', async () => {
  const assets = createAssets()
  const text = assets.files.get('/buscar/05.txt') ?? ''
  const other = parseSearchFile(text.replace(/\f32\f/, '\f64\f'))
  const load = (number: number) => createSearchLoader(createClock(), new Map([[number, other]]))
  await expect(load(5)(createFetch(assets))).rejects.toThrow('belong to different sites')
  const search = await createSearchLoader(createClock())(createFetch(assets))
  expect((await load(40)(createFetch(assets)))(CHANEL)).toEqual(search(CHANEL))
})

it('equally good results have the same order, whichever file is read first', async () => {
  const assets = createAssets(findTwins().map((id) => createEntry(id, id, [createProduct('p', 'Chanel')])))
  const find = async (slow: string): Promise<readonly string[]> => {
    const search = await createSearchLoader(createClock())(async (path) => {
      if (path === slow) await new Promise((resolve) => setTimeout(resolve, 5))
      return createFetch(assets)(path)
    })
    return search(CHANEL).products.map(({ seller }) => seller.id)
  }
  expect(await find('/buscar/01.txt')).toEqual(await find('/buscar/02.txt'))
})

/** Returns a seller for file 0 and two others, whose products of the same price have the same key. */
function findTwins(): readonly string[] {
  const seen = new Map<number, string>()
  for (let number = 0; ; number += 1) {
    const hash = hashPlace(`s${number}/p`)
    const twin = seen.get(hash)
    if (twin !== undefined) return ['first', twin, `s${number}`]
    seen.set(hash, `s${number}`)
  }
}
