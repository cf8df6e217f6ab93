/** Lane `assets`: the index is fed after a publish with the sellers who wait, whatever interrupts a feed. */
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SearchEntry } from '../../../../src/domain/search/search-entry.ts'
import type { SourceDocument } from '../../../../src/domain/documents/document.ts'
import { CallError } from '../../../../src/builder/publish/coordinator/coordinator-client.ts'
import type { FeedOutcome } from '../../../../src/builder/publish/search/feed-index.ts'
import { feedIndex, isFed } from '../../../../src/builder/publish/search/feed-index.ts'
import { createReadEntry } from '../../../../src/builder/publish/search/read-entry.ts'
import { sendRepairs } from '../../../../src/builder/publish/search/send-updates.ts'
import { rebuild } from '../../../../src/builder/rebuild/rebuild.ts'
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
/** Whether the version of the state is live. */
let isLive: boolean
let versions = 0
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  site = createSearchSite(2)
  documents = new Map()
  isLive = true
  for (const seller of SELLERS) write(seller, 'Eros')
})

afterEach(() => void vi.useRealTimers())

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
  readonly claimed?: number
  /** A state of its own, below the test's folder. */
  readonly folder?: string
  /** Without it the site is rebuilt and not published. */
  readonly isPublished?: boolean
  readonly url?: string
  /** Without it the feed is one of the publish before. */
  readonly isRemembered?: boolean
  /** Sellers whose pages keep their old version. */
  readonly failing?: readonly string[]
}

/** Rebuilds and, after the publish, feeds. Returns `null` if there was nothing to feed. */
async function publish({
  isWhole = false,
  isPublished = true,
  claimed,
  folder = 'one',
  url = 'https://one.do',
  isRemembered = true,
  failing = [],
}: Setup = {}): Promise<FeedOutcome | null> {
  const world = createWorld({ folder: path(folder), documents: [...documents.values()] })
  const { snapshot, pictures, record } = world.state
  try {
    const { isTouched } = await rebuild(world)
    if (claimed !== undefined) snapshot.writeClaimed(claimed)
    if (!isPublished) return null
    const { waits } = snapshot
    for (const seller of failing) waits.postpone('files', [{ seller, reason: 'throws' }])
    if (isRemembered) {
      versions += 1
      snapshot.writePublished({ id: String(versions), run: waits.readRun() })
    }
    if (isFed({ snapshot }, { isWhole, isChanged: isTouched })) return null
    const read = createReadEntry({ snapshot, pictures, publicFiles: new Set(), site: createSite({ url }) })
    const progress = (): void => {}
    return await feedIndex(
      {
        snapshot,
        read,
        client: site.client,
        site: url,
        isLive: async (id) => isLive && id === String(versions),
        progress,
      },
      isWhole,
    )
  } finally {
    for (const one of [snapshot, record]) one.close()
  }
}

async function find(query: string): Promise<readonly string[]> {
  return (await site.index.search(query)).products.map(({ seller }) => seller.id).sort()
}

/** Which clocks can tell apart. */
function passMillisecond(): void {
  vi.advanceTimersByTime(1)
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
    const updates = { sellers: SELLERS, read, sequence: 1, since: 0 }
    await sendRepairs(updates, { ...site.client, update })
    expect(sizes).toEqual([90, 90, 90, 90])
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

  it.each([false, true])('puts nothing unless its own version is live (whole: %s)', async (isWhole) => {
    await publish()
    write('s3', 'Angel')
    isLive = false
    expect(await publish({ isWhole })).toEqual({ fed: 0, repaired: null, failed: 0 })
    expect(await find('angel')).toEqual([])
    isLive = true
    await publish()
    expect(await find('angel')).toEqual(['s3'])
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

  it('whose first fill was killed is filled by the next', async () => {
    fail(4, 'before')
    await expect(publish()).rejects.toThrow('killed')
    site.before = () => {}
    expect(await publish()).toMatchObject({ fed: 0, repaired: expect.any(Number) })
    expect(await find('eros')).toHaveLength(12)
  })

  it('that comes late or twice changes nothing', async () => {
    await publish({ claimed: 1_000 })
    write('s3', 'Angel')
    await publish({ claimed: 1_000 })
    const updates = site.calls.filter((call) => call.path === '/search/update')
    write('s3', 'Bleu')
    await publish({ claimed: 1_001 })
    for (const call of updates) await site.repeat(call)
    expect([await find('angel'), await find('bleu')]).toEqual([[], ['s3']])
  })

  it('that arrives after the index was emptied and filled again changes nothing', async () => {
    for (const seller of ['s3', 'gone']) write(seller, 'Angel')
    await publish({ claimed: 9_000 })
    const late = site.calls.filter((call) => call.path === '/search/update')
    remove('gone')
    write('s3', 'Bleu')
    // The site has lost its count, which makes the index one that is ahead.
    await publish({ claimed: 1, folder: 'anew' })
    late.push(...site.calls.filter((call) => call.path === '/search/clear'))
    expect(countCalls('clear')).toBe(1)
    for (const call of late) await site.repeat(call)
    expect([await find('angel'), await find('bleu')]).toEqual([[], ['s3']])
  })

  it('that arrives at new shards, which never knew a removed seller, changes nothing', async () => {
    write('gone', 'Angel')
    await publish({ claimed: 1_000 })
    const updates = site.calls.filter((call) => call.path === '/search/update')
    remove('gone')
    passMillisecond()
    site.index = createMemoryIndex(3)
    await publish({ claimed: 1_001 })
    for (const call of updates) await site.repeat(call)
    expect([await find('angel'), (await find('eros')).length]).toEqual([[], 12])
  })

  it('of an older state does not replace what a newer one has fed', async () => {
    await publish({ claimed: 1_000 })
    write('s3', 'Angel')
    await publish({ isPublished: false })
    write('s3', 'Bleu')
    await publish({ claimed: 2_000, folder: 'two' })
    // The first builder was about to feed when the other one published.
    isLive = false
    write('s3', 'Angel')
    await publish({ claimed: 1_000, isWhole: true })
    expect([await find('angel'), await find('bleu')]).toEqual([[], ['s3']])
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
  /** Calls that name her fail, as those of an object of the runtime that her data ends. */
  function breakSeller(seller: string): void {
    site.before = ({ path: called, text }) => {
      const { gzip = '' } = JSON.parse(text)
      const isHers = gzip !== '' && gunzipSync(Buffer.from(gzip, 'base64')).includes(`"${seller}"`)
      if (called === '/search/update' && isHers) throw new CallError('the object was reset', 500)
    }
  }

  it('stops none of those behind her, and is sent again by the next feed', async () => {
    await publish()
    for (const seller of SELLERS) write(seller, 'Angel')
    breakSeller('s3')
    expect(await publish()).toEqual({ fed: 11, repaired: null, failed: 1 })
    expect(await find('angel')).toEqual(SELLERS.filter((seller) => seller !== 's3').sort())
    expect(await publish({ isWhole: true })).toEqual({ fed: 0, repaired: 0, failed: 1 })
    site.before = () => {}
    expect(await publish()).toEqual({ fed: 1, repaired: null, failed: 0 })
    expect(await find('angel')).toHaveLength(12)
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

  it('repairs what differs, also with equal sequences, and removes what is gone', async () => {
    await publish({ claimed: 1_000 })
    await site.client.update({
      isRepair: true,
      since: Date.now(),
      sellers: [
        { seller: 's3', sequence: 1_000 * 1_024, entry: null },
        {
          seller: 'ghost',
          sequence: 1_000 * 1_024,
          entry: createEntry('ghost', 'Ghost', [createProduct('p', 'Ghost')]),
        },
      ],
    })
    expect(await publish({ claimed: 1_000, isWhole: true })).toEqual({ fed: 0, repaired: 2, failed: 0 })
    expect([await find('ghost'), (await find('eros')).length]).toEqual([[], 12])
    expect(await site.index.readState()).toMatchObject({ repaired: 2 })
  })

  it('fills an index that was cleared', async () => {
    await publish()
    await site.index.clear(Date.now())
    expect(await publish({ isWhole: true })).toEqual({ fed: 0, repaired: 12, failed: 0 })
  })

  it('that is killed after it has cleared the index is done again by the next publish', async () => {
    await publish({ claimed: 1 })
    // Another life of the index.
    const sellers = [{ seller: 's3', sequence: 9_000 * 1_024, entry: null }]
    const { since } = await site.client.begin()
    await site.client.update({ isRepair: true, since, sellers })
    site.after = ({ path: called }) => {
      if (called === '/search/clear') throw new Error('killed')
    }
    await expect(publish({ isWhole: true })).rejects.toThrow('killed')
    site.after = () => {}
    write('s4', 'Angel')
    await publish()
    expect((await site.index.readState()).sellers).toBe(12)
  })

  it('clears an index that is ahead of a site that lost its count, unless another version is live', async () => {
    await publish({ claimed: 9_000 })
    write('s3', 'Angel')
    isLive = false
    await publish({ claimed: 1, folder: 'anew' })
    expect(await find('angel')).toEqual([])
    isLive = true
    expect(await publish({ claimed: 1, folder: 'anew', isWhole: true })).toEqual({
      fed: 0,
      repaired: 12,
      failed: 0,
    })
    expect(await find('angel')).toEqual(['s3'])
  })
})
