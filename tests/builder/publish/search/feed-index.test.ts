/** The index is fed after a publish with the sellers who wait, whatever interrupts a feed. */
import { gunzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import type { SearchEntry } from '../../../../src/domain/search/search-entry.ts'
import type { Source } from '../../../../src/builder/sources/source.ts'
import type { SourceDocument } from '../../../../src/domain/documents/document.ts'
import { CallError } from '../../../../src/builder/publish/coordinator/coordinator-client.ts'
import { createFailureBudget } from '../../../../src/builder/publish/coordinator/send-divided.ts'
import type { FeedOutcome } from '../../../../src/builder/publish/search/feed-index.ts'
import { feedIndex, isFed } from '../../../../src/builder/publish/search/feed-index.ts'
import { createReadEntry } from '../../../../src/builder/publish/search/read-entry.ts'
import { putSellers } from '../../../../src/builder/publish/search/put-sellers.ts'
import { rebuild } from '../../../../src/builder/rebuild/rebuild.ts'
import { putEntries } from '../../../../scripts/prove/search/memory-index.ts'
import { product, user } from '../../../support/rebuild/documents.ts'
import { createEntry, createProduct } from '../../../support/search/search-entries.ts'
import { createMemoryIndex } from '../../../support/search/search-index.ts'
import type { SearchSite } from '../../../support/search/search-site.ts'
import { createSearchSite } from '../../../support/search/search-site.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'
import { createWorld } from '../../../support/rebuild/world.ts'
import { createSite } from '../../../support/site.ts'

const path = useTemporaryFolder()
const SELLERS = Array.from({ length: 12 }, (_, at) => `s${at}`)

let site: SearchSite
let documents: Map<string, SourceDocument>
/** Whether the publish of the state is live. */
let askLive: () => Promise<boolean>
let versions = 0
beforeEach(() => {
  site = createSearchSite(2)
  documents = new Map()
  askLive = async () => true
  for (const seller of SELLERS) write(seller, 'Eros')
})

function write(seller: string, name: string): void {
  documents.set(`user ${seller}`, user(seller))
  documents.set(`product ${seller}`, product(`p-${seller}`, seller, { name }))
}

function remove(seller: string): void {
  documents.delete(`user ${seller}`)
  documents.delete(`product ${seller}`)
}

interface Setup {
  readonly isWhole?: boolean
  /** A state of its own, below the test's folder. */
  readonly folder?: string
  /** Without it the site is rebuilt and not published. */
  readonly isPublished?: boolean
  readonly url?: string
  /** Without it the feed is one of the publish before. */
  readonly isRemembered?: boolean
  /** Whether the source names changed sellers, and is read whole all the same. */
  readonly isNaming?: boolean
  /** Sellers whose pages keep their old version. */
  readonly failing?: readonly string[]
}

/** Rebuilds and, after the publish, feeds. Returns `null` if there was nothing to feed. */
async function publish({
  isWhole = false,
  isPublished = true,
  folder = 'one',
  url = 'https://one.do',
  isRemembered = true,
  isNaming = false,
  failing = [],
}: Setup = {}): Promise<FeedOutcome | null> {
  const world = createWorld({ folder: path(folder), documents: [...documents.values()] })
  const { snapshot, pictures, record } = world.state
  const openSource = async (): Promise<Source> => ({ ...(await world.openSource()), readsWhole: !isNaming })
  try {
    const { isTouched } = await rebuild({ ...world, openSource })
    if (!isPublished) return null
    const { waits } = snapshot
    for (const seller of failing) waits.postpone('files', [{ seller, reason: 'throws' }])
    if (isRemembered) {
      versions += 1
      snapshot.writePublished({ id: String(versions), run: waits.readRun() })
    }
    if (isFed({ snapshot }, { isWhole, isChanged: isTouched })) return null
    const read = createReadEntry({ snapshot, pictures, publicFiles: new Set(), site: createSite({ url }) })
    const isLive = async (id: string): Promise<boolean> => id === String(versions) && askLive()
    const fed = { snapshot, read, client: site.client, site: url, isLive, progress: () => {} }
    return await feedIndex(fed, isWhole)
  } finally {
    for (const one of [snapshot, record]) one.close()
  }
}

async function find(query: string): Promise<readonly string[]> {
  return (await site.index.search(query)).products.map(({ seller }) => seller.id).sort()
}

/** The call of this number fails, counted from now. */
function fail(number: number, when: 'before' | 'after'): void {
  let left = number
  site[when] = () => {
    left -= 1
    if (left === 0) throw new Error('killed')
  }
}

const countCalls = (name: string): number =>
  site.calls.filter((call) => call.path === `/search/${name}`).length

describe('a feed', () => {
  it('sends few products at once: the free plan gives a call 10 ms of processor time', async () => {
    const sizes: number[] = []
    const update: SearchSite['client']['update'] = (call) => {
      sizes.push(call.sellers.reduce((sum, { entry }) => sum + (entry?.products.length ?? 0), 0))
      return site.client.update(call)
    }
    const products = Array.from({ length: 30 }, (_, at) => createProduct(`p${at}`, 'Eros'))
    const read = (seller: string): SearchEntry => createEntry(seller, 'Tienda', products)
    const client = { ...site.client, update }
    const world = { client, read, mayPut: async () => true, budget: createFailureBudget() }
    for await (const results of putSellers(SELLERS, world))
      expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(['stored']))
    expect(sizes).toEqual([60, 60, 60, 60, 60, 60])
  })

  it('fills the index after the first publish, and then sends what changed', async () => {
    expect(await publish()).toEqual({ fed: 0, repaired: 12, failed: 0 })
    expect(await find('eros')).toHaveLength(12)
    write('s3', 'Angel')
    remove('s4')
    expect(await publish()).toEqual({ fed: 2, repaired: null, failed: 0 })
    expect([await find('angel'), (await find('eros')).length]).toEqual([['s3'], 10])
    const calls = site.calls.length
    expect([await publish(), site.calls.length]).toEqual([null, calls])
  })

  it('shows nothing before the publish, and all changes since the last one after it', async () => {
    await publish()
    write('s3', 'Angel')
    await publish({ isPublished: false })
    write('s5', 'Angel')
    await publish({ isPublished: false })
    expect(await find('angel')).toEqual([])
    await publish()
    expect(await find('angel')).toEqual(['s3', 's5'])
  })

  it.each([false, true])('puts nothing that came after its publish (whole: %s)', async (isWhole) => {
    await publish()
    write('s3', 'Angel')
    await publish({ isWhole, isRemembered: false })
    expect(await find('angel')).toEqual([])
    await publish()
    expect(await find('angel')).toEqual(['s3'])
  })

  it.each([false, true])('puts no seller whose pages show other data (whole: %s)', async (isWhole) => {
    await publish()
    for (const seller of ['s3', 's4']) write(seller, 'Angel')
    await publish({ isWhole, failing: ['s3'] })
    expect(await find('angel')).toEqual(['s4'])
    await publish()
    expect(await find('angel')).toEqual(['s3', 's4'])
  })

  it.each(['before', 'after'] as const)('that is killed %s a call is continued by the next', async (when) => {
    await publish()
    for (const seller of ['s1', 's2']) write(seller, 'Angel')
    for (const call of [1, 2]) {
      fail(call, when)
      await expect(publish()).rejects.toThrow('killed')
      site[when] = () => {}
    }
    expect(await publish()).not.toBeNull()
    expect(await find('angel')).toEqual(['s1', 's2'])
    expect(await publish()).toBeNull()
  })

  // As a publish of a whole read that was killed before its first call. Its read has named no seller of the other's feed.
  it('compares the index after a whole read in place of named sellers', async () => {
    await publish()
    await publish({ folder: 'two', isWhole: true })
    write('s3', 'Angel')
    await publish({ folder: 'two' })
    write('s3', 'Eros')
    await publish({ isPublished: false, isNaming: true })
    expect(await publish()).toMatchObject({ repaired: 1 })
    expect(await find('angel')).toEqual([])
  })

  it('whose first fill was killed is filled by the next', async () => {
    fail(4, 'before')
    await expect(publish()).rejects.toThrow('killed')
    site.before = () => {}
    expect(await publish()).toMatchObject({ repaired: expect.any(Number), failed: 0 })
    expect(await find('eros')).toHaveLength(12)
  })

  it('that comes late or twice changes nothing', async () => {
    await publish()
    write('s3', 'Angel')
    await publish()
    const calls = site.calls.filter(({ path: called }) =>
      ['/search/update', '/search/begin'].includes(called),
    )
    write('s3', 'Bleu')
    await publish()
    for (const call of calls) await site.repeat(call)
    expect([await find('angel'), await find('bleu')]).toEqual([[], ['s3']])
  })

  it('that arrives for the first time after the next one changes nothing', async () => {
    await publish()
    write('s3', 'Angel')
    site.before = ({ path: called }) => {
      if (called === '/search/update') throw new Error('killed')
    }
    await expect(publish()).rejects.toThrow('killed')
    site.before = () => {}
    const lost = site.calls.filter(({ path: called }) => called === '/search/update')
    // Other builders put equal data, which they read later.
    write('s3', 'Eros')
    await publish()
    for (const call of lost) await site.repeat(call)
    expect(await find('angel')).toEqual([])
  })

  it('that arrives at an index which was emptied and filled again changes nothing', async () => {
    for (const seller of ['s3', 'gone']) write(seller, 'Angel')
    await publish()
    const late = site.calls.filter(({ path: called }) => called === '/search/update')
    remove('gone')
    write('s3', 'Bleu')
    site.index = createMemoryIndex(2)
    expect(await publish()).toMatchObject({ repaired: expect.any(Number) })
    for (const call of late) await site.repeat(call)
    expect([await find('angel'), await find('bleu')]).toEqual([[], ['s3']])
  })

  it('asks whether its publish is live after it has seen the tags, and before it reads', async () => {
    await publish()
    write('s3', 'Angel')
    const calls = site.calls.length
    const asked: (readonly string[])[] = []
    askLive = async () => {
      asked.push(site.calls.slice(calls).map((call) => call.path))
      return true
    }
    await publish()
    expect(asked).toEqual([[], ['/search/count', '/search/see']])
    expect(await find('angel')).toEqual(['s3'])
  })

  it('of a publish that is not live any more puts nothing, and keeps its list', async () => {
    await publish()
    write('s3', 'Angel')
    const answers = [false, true, false]
    askLive = async () => answers.shift() ?? true
    // Before the feed, and after it has seen the tags.
    expect(await publish()).toEqual({ fed: 0, repaired: null, failed: 0 })
    expect(await publish()).toEqual({ fed: 0, repaired: null, failed: 0 })
    expect([answers, await find('angel'), countCalls('update')]).toEqual([[], [], 1])
    askLive = async () => true
    await publish()
    expect(await find('angel')).toEqual(['s3'])
  })

  it('that another publisher beats sees, asks and reads again', async () => {
    await publish()
    write('s3', 'Angel')
    let asked = 0
    askLive = async () => {
      asked += 1
      if (asked === 2)
        await putEntries(site.index, [['s3', createEntry('s3', 'x', [createProduct('p', 'Bleu')])]])
      return true
    }
    expect(await publish()).toEqual({ fed: 1, repaired: null, failed: 0 })
    expect([asked, await find('angel'), await find('bleu')]).toEqual([3, ['s3'], []])
  })

  it('ends when the index is emptied meanwhile, and is continued by the next', async () => {
    await publish()
    for (const seller of SELLERS) write(seller, 'Angel')
    const calls = site.calls.length
    site.before = ({ path: called }) => {
      if (called === '/search/see' && site.calls.length === calls + 2) site.index = createMemoryIndex(2)
    }
    await expect(publish()).rejects.toThrow('emptied')
    expect(await publish()).toEqual({ fed: 12, repaired: 0, failed: 0 })
    expect(await find('angel')).toHaveLength(12)
  })

  it('fills another number of shards, and the index of another site', async () => {
    await publish()
    site.index = createMemoryIndex(3)
    write('s3', 'Angel')
    expect(await publish()).toEqual({ fed: 1, repaired: 11, failed: 0 })
    expect((await site.index.readState()).sellers).toBe(12)
    site.index = createMemoryIndex(3)
    write('s3', 'Bleu')
    expect(await publish({ url: 'https://two.do' })).toEqual({ fed: 1, repaired: 11, failed: 0 })
  })
})

describe('a seller who cannot be updated', () => {
  /** Calls that name one of them fail, as those of an object of the runtime that her data ends. */
  function breakSellers(...sellers: readonly string[]): void {
    site.before = ({ path: called, text }) => {
      const { gzip = '' } = JSON.parse(text)
      const body = gzip === '' ? '' : gunzipSync(Buffer.from(gzip, 'base64')).toString()
      const isHers = sellers.some((seller) => body.includes(`"${seller}"`))
      if (called === '/search/update' && isHers) throw new CallError('the object was reset', 500)
    }
  }

  it('stops none of those behind her, and is sent again by the next feed', async () => {
    await publish()
    for (const seller of SELLERS) write(seller, 'Angel')
    breakSellers('s3')
    expect(await publish()).toEqual({ fed: 11, repaired: null, failed: 1 })
    expect(await find('angel')).toEqual(SELLERS.filter((seller) => seller !== 's3').sort())
    expect(await publish({ isWhole: true })).toEqual({ fed: 0, repaired: 0, failed: 1 })
    site.before = () => {}
    expect(await publish()).toEqual({ fed: 1, repaired: null, failed: 0 })
    expect(await find('angel')).toHaveLength(12)
  })

  it('ends the feed if there are ten before her, in other calls too', async () => {
    await publish()
    for (const seller of SELLERS)
      for (let at = 1; at < 30; at += 1)
        documents.set(`product ${seller} ${at}`, product(`p-${seller}-${at}`, seller, { name: 'Angel' }))
    const before = countCalls('update')
    site.before = ({ path: called }) => {
      if (called === '/search/update') throw new CallError('the object was reset', 500)
    }
    await expect(publish()).rejects.toThrow('the object was reset')
    // Five calls of two sellers, each of whom is then sent alone, and the sixth call.
    expect(countCalls('update') - before).toBe(16)
  })

  it('does not stop others a second time if there are ten before her', async () => {
    await publish()
    for (const seller of SELLERS) write(seller, 'Angel')
    breakSellers(...SELLERS.filter((seller) => seller !== 's9'))
    for (let time = 0; time < 2; time += 1) await expect(publish()).rejects.toThrow('was reset')
    expect(await find('angel')).toEqual(['s9'])
  })

  it('is not looked for when the site does not answer', async () => {
    await publish()
    for (const seller of SELLERS) write(seller, 'Angel')
    const calls = site.calls.length
    site.before = () => {
      if (site.calls.length > calls + 1) throw new CallError('no answer')
    }
    await expect(publish()).rejects.toThrow('no answer')
    expect(site.calls.length - calls).toBeLessThanOrEqual(3)
  })
})

describe('the comparison', () => {
  it('asks for digests only when nothing differs', async () => {
    await publish()
    const lists = countCalls('sellers')
    expect(await publish({ isWhole: true })).toEqual({ fed: 0, repaired: 0, failed: 0 })
    expect([countCalls('sellers'), countCalls('compared')]).toEqual([lists, 2])
  })

  it('repairs what differs, and removes what is gone', async () => {
    await publish()
    const ghost = createEntry('ghost', 'Ghost', [createProduct('p', 'Ghost')])
    await putEntries(site.index, [
      ['s3', null],
      ['ghost', ghost],
    ])
    expect(await publish({ isWhole: true })).toEqual({ fed: 0, repaired: 2, failed: 0 })
    expect([await find('ghost'), (await find('eros')).length]).toEqual([[], 12])
    expect(await site.index.readState()).toMatchObject({ repaired: 2 })
  })

  it.each([2, 3, 5])('that is killed at its call %i is done by the next publish', async (call) => {
    await publish()
    await putEntries(site.index, [['s3', null]])
    fail(call, 'after')
    await expect(publish({ isWhole: true })).rejects.toThrow('killed')
    site.after = () => {}
    await publish()
    expect(await find('eros')).toHaveLength(12)
  })

  it('that is killed before its end is noted is done by the next publish', async () => {
    site.before = ({ path: called }) => {
      if (called === '/search/compared') throw new Error('killed')
    }
    await expect(publish()).rejects.toThrow('killed')
    site.before = () => {}
    write('s3', 'Angel')
    expect(await publish()).toEqual({ fed: 1, repaired: 0, failed: 0 })
    expect((await site.index.readState()).compared).not.toBeNull()
  })

  it('of a publish that is not live any more repairs nothing, and is not noted', async () => {
    await publish()
    await putEntries(site.index, [['s3', null]])
    const answers = [true, false]
    askLive = async () => answers.shift() ?? true
    expect(await publish({ isWhole: true })).toEqual({ fed: 0, repaired: 0, failed: 0 })
    expect([(await find('eros')).length, countCalls('compared')]).toEqual([11, 1])
  })
})
