/** The search of a site in a bucket whose files change. */
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { createBucketSearch } from '../../../src/edge/search/bucket-search.ts'
import type { BucketFile } from '../../../src/edge/files/bucket.ts'
import { createAssets, SAMPLE } from '../../support/search/search-assets.ts'

function createFile(key: string, text: string): BucketFile {
  return { key, etag: createHash('md5').update(text).digest('hex') }
}

function createSite() {
  const assets = createAssets([])
  let marker = 'first'
  let time = 0
  let lists = 0
  const open = createBucketSearch({ now: () => time, wait: async () => {}, log: () => {} })
  const bucket = {
    head: async (key: string) => {
      if (marker === 'broken') throw new Error('no bucket')
      return createFile(key, marker)
    },
    list: async () => {
      lists += 1
      const files = [...assets.files].filter(([path]) => path.startsWith('/buscar/'))
      return { objects: files.map(([path, text]) => createFile(path.slice(1), text)), truncated: false }
    },
  }
  return {
    assets,
    countLists: () => lists,
    pass: (ms: number) => void (time += ms),
    publish: (run: string) => void (marker = run),
    /** Returns the number of products found, and the files that were read for it. */
    search: async (query: string) => {
      const before = assets.requested.length
      const { loadSearch, loadShell } = await open(bucket)
      const fetchFile = (path: string): Promise<Response> => assets.fetch(new Request(`https://site${path}`))
      await loadShell(fetchFile)
      const { products } = (await loadSearch(fetchFile))({ query, decants: 'todos' })
      return { found: products.length, read: assets.requested.slice(before) }
    },
  }
}

it('the search of a bucket reads what differs five seconds after another publish', async () => {
  const site = createSite()
  expect((await site.search('eros')).read).toHaveLength(33)
  const others = createAssets(SAMPLE.filter(({ products }) => products.length > 0).slice(0, 1)).files
  for (const [path, text] of others) site.assets.files.set(path, text)
  site.publish('second')
  site.pass(4_999)
  expect(await site.search('eau')).toEqual({ found: 0, read: [] })
  site.pass(1)
  const { found, read } = await site.search('eau')
  expect([found > 0, read]).toEqual([true, ['/buscar', '/buscar/00.txt']])
  for (const marker of ['second', 'broken']) {
    site.publish(marker)
    site.pass(5_000)
    expect(await site.search('eau')).toEqual({ found, read: [] })
  }
  expect(site.countLists()).toBe(2)
})
