/** The search files are read once, by one request, and again after a failure. */
import { expect, it } from 'vitest'
import type { FetchFile } from '../../../src/edge/search/load-search.ts'
import { createSearchLoader } from '../../../src/edge/search/load-search.ts'
import { createAssets } from '../../support/search/search-assets.ts'

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
