/** A message ends with the object that the source says, or with a reason; nothing is lost and nothing goes back. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FORMAT } from '../../../src/domain/objects/object-data.ts'
import { formatObjectKey } from '../../../src/domain/objects/object-key.ts'
import type { SettledChange } from '../../../src/edge/coordinator/change-ledger.ts'
import type { ChangeHost } from '../../../src/edge/intake/change-host.ts'
import { consumeChanges, consumeDeadLetters, consumeQueue } from '../../../src/edge/intake/consume-changes.ts'
import { openSellerSource } from '../../../src/edge/intake/open-seller-source.ts'
import { SourceTrouble } from '../../../src/edge/intake/seller-source.ts'
import { acceptObjects } from '../../../src/edge/objects/push-objects.ts'
import { LARGEST_OBJECT } from '../../../src/edge/objects/put-objects.ts'
import type { MemoryChangeHost } from '../../support/edge/change-host.ts'
import { createBatch, createChangeHost, readHostObject } from '../../support/edge/change-host.ts'
import { product, user, withTime } from '../../support/rebuild/documents.ts'
import { createEdgeRenderer } from '../../support/edge/edge-renderer.ts'
import { createHostSeller } from '../../support/edge/object-host.ts'

let host: MemoryChangeHost
beforeEach(() => {
  // The first version of an object is the time.
  vi.useFakeTimers({ toFake: ['Date'], now: 1 })
  host = createChangeHost(
    createEdgeRenderer('one', (page) => {
      const seller = page.kind === 'catalogue' ? page.catalogue.seller : ''
      if (seller === 'throws') throw new Error('no such brand')
      return seller === 'large' ? ' '.repeat(LARGEST_OBJECT) : JSON.stringify(page)
    }),
  )
  host.source.documents.push(
    user('ana'),
    withTime(product('p', 'ana'), '2026-01-02T00:00:00Z'),
    user('eva'),
    product('e', 'eva'),
  )
})

afterEach(() => void vi.useRealTimers())

/** Returns the reports to the coordinator. */
async function consume(...names: readonly string[]): Promise<readonly SettledChange[]> {
  const batch = createBatch(names)
  await consumeChanges(batch, host)
  expect(batch.messages.map(({ end }) => end)).toEqual(names.map(() => 'acknowledged'))
  return host.settled.splice(0)
}

async function consumeOne(name: string): Promise<SettledChange | undefined> {
  return (await consume(name))[0]
}

const ended = (name: string, index: number, outcome: object): object => ({
  name,
  upTo: index + 1,
  sentAt: 0,
  outcome,
})

const trouble = (reason: unknown): object => ({ kind: 'trouble', reason, isPermanent: false, retryAfter: 0 })

async function putByOther(name: string): Promise<void> {
  const seen = await host.store.head(await formatObjectKey(name))
  const objects = [{ name, tag: seen?.tag ?? null, data: createHostSeller(name, []) }]
  await acceptObjects({ format: FORMAT, intake: 'builder', objects, isShrinkAllowed: false }, host)
}

describe('a changed seller', () => {
  it('is put with the intake of the Worker, and settled', async () => {
    expect(await consume('ana', 'eva')).toEqual(
      ['ana', 'eva'].map((name, index) => ended(name, index, { kind: 'put' })),
    )
    expect(await readHostObject(host, 'ana')).toMatchObject({ version: 1, intake: 'intake of the Worker' })
    expect(host.forgotten.toSorted()).toEqual(['ana', 'eva'])
    expect(await host.ledger.readSiteState()).toMatchObject({ sellers: 2 })
  })

  it('feeds the search index with what was put', async () => {
    const feedIndex = vi.fn<NonNullable<ChangeHost['feedIndex']>>()
    host.source.documents.push(user('throws'))
    await consumeChanges(createBatch(['ana', 'throws']), { ...host, feedIndex })
    expect(feedIndex.mock.calls).toEqual([[['ana']]])
  })

  it('of a second delivery gets equal bytes for visitors, as the next version', async () => {
    await consume('ana')
    const first = await readHostObject(host, 'ana')
    await consume('ana')
    const { html, etag } = first?.kind === 'page' ? first : { html: null, etag: '' }
    expect(await readHostObject(host, 'ana')).toMatchObject({ version: 2, html, etag })
  })

  it('in two messages of a batch is read and settled once', async () => {
    expect(await consume('ana', 'ana')).toEqual([ended('ana', 1, { kind: 'put' })])
    expect(host.source.reads).toEqual(['ana'])
  })

  it('without documents is a tombstone in the place of her object', async () => {
    await consume('ana', 'eva')
    host.source.documents.splice(0, 2)
    expect(await consume('ana')).toMatchObject([{ outcome: { kind: 'put' } }])
    expect(await readHostObject(host, 'ana')).toEqual({ kind: 'gone', version: 2 })
  })

  it('who does not exist and has no object leaves none, and no row of objects or of the index', async () => {
    const feedIndex = vi.fn<NonNullable<ChangeHost['feedIndex']>>()
    host = { ...host, feedIndex }
    const nobody = Array.from({ length: 30 }, (_, index) => `nobody-${index}`)
    expect(await consume(...nobody)).toEqual(
      nobody.map((name, index) => ended(name, index, { kind: 'absent' })),
    )
    expect([host.objects.size, feedIndex.mock.calls]).toEqual([0, []])
    expect(host.coordinator.database.prepare('SELECT * FROM objects').all()).toEqual([])
  })

  it('has those noticed who now have her products, before her object forgets them', async () => {
    await consume('ana', 'eva')
    host.source.documents.splice(1, 1, product('p', 'eva'))
    const noticeChanges = async (): Promise<never> => Promise.reject(new Error('it is down'))
    const down = { ...host, ledger: { ...host.ledger, noticeChanges } }
    await consumeChanges(createBatch(['ana']), down)
    expect(await readHostObject(host, 'ana')).toMatchObject({ version: 1 })
    expect(await consumeOne('ana')).toMatchObject({ outcome: { kind: 'put' } })
    expect(host.noticed).toEqual(['eva'])
    await consume('eva')
    host.source.documents.splice(1, 1, product('p', '404'))
    await consume('eva')
    expect(host.noticed).toEqual(['eva'])
  })

  it('that no page can have is settled without a read', async () => {
    expect(await consumeOne('404')).toEqual(ended('404', 0, { kind: 'absent' }))
    expect([host.source.reads, host.objects.size]).toEqual([[], 0])
  })

  it('fails alone if its page throws, or its object is too large', async () => {
    host.source.documents.push(user('throws'), user('large'))
    expect(await consume('throws', 'large', 'ana')).toEqual([
      ended('throws', 0, { kind: 'failed', reason: 'no such brand' }),
      ended('large', 1, {
        kind: 'failed',
        reason: expect.stringMatching(/^the object has \d+ bytes, and at most \d+ can be stored$/),
      }),
      ended('ana', 2, { kind: 'put' }),
    ])
  })

  it('that is too large to read is left to a builder', async () => {
    const answer = { kind: 'large', reason: '20,000 products' } as const
    host.source.before = async (seller) => (seller === 'ana' ? answer : null)
    expect(await consume('ana', 'eva')).toEqual([ended('ana', 0, answer), ended('eva', 1, { kind: 'put' })])
  })

  it('keeps an object that newer code has put', async () => {
    const key = await formatObjectKey('ana')
    const facts = { version: 1, format: FORMAT + 1, code: 'next', intake: '', policy: '', etag: '', data: 2 }
    const bytes = new TextEncoder().encode(`${JSON.stringify(facts)}\n{}page`)
    await host.store.put(key, bytes, { seen: null, notes: {} })
    expect(await consumeOne('ana')).toMatchObject({ outcome: { kind: 'failed' } })
    expect(host.objects.get(key)?.bytes).toEqual(bytes)
  })

  it('replaces damaged bytes', async () => {
    await host.store.put(await formatObjectKey('ana'), new Uint8Array(3), { seen: null, notes: {} })
    expect(await consumeOne('ana')).toMatchObject({ outcome: { kind: 'put' } })
    expect(await readHostObject(host, 'ana')).toMatchObject({ kind: 'page', version: 1 })
  })
})

it('large sellers are read and put one at a time, the others beside them', async () => {
  const large = ['large-x', 'large-y', 'large-z']
  const small = ['small-x', 'small-y', 'small-z']
  const products = Array.from({ length: 301 }, (_, index) => index)
  const { documents } = host.source
  for (const seller of large)
    documents.push(...products.map((index) => product(`${seller}-${index}`, seller)))
  documents.push(...small.map((seller) => user(seller)))
  const names = [...large, ...small]
  await consume(...names)
  const inWork = { large: 0, small: 0 }
  const most = { large: 0, small: 0 }
  const { store } = host
  // Each read lasts until all small sellers are being read: a count that no speed of the machine changes.
  const readTogether = Promise.withResolvers<void>()
  const watch = async <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
    const kind = key.includes('large-') ? 'large' : 'small'
    inWork[kind] += 1
    most[kind] = Math.max(most[kind], inWork[kind])
    if (inWork.small === small.length) readTogether.resolve()
    await readTogether.promise
    const result = await work()
    inWork[kind] -= 1
    return result
  }
  host.source.before = (seller) => watch(seller, async () => null)
  const put: typeof store.put = (key, ...rest) => watch(key, () => store.put(key, ...rest))
  host = { ...host, store: { ...store, put } }
  await consume(...names)
  expect(most).toEqual({ large: 1, small: 3 })
})

describe('another writer', () => {
  it('that puts after the object was seen beats it, and the seller is read again', async () => {
    host.source.before = async () => {
      if (host.source.reads.length === 1) await putByOther('ana')
      return null
    }
    expect(await consumeOne('ana')).toEqual(ended('ana', 0, { kind: 'put' }))
    expect(host.source.reads).toEqual(['ana', 'ana'])
    expect(await readHostObject(host, 'ana')).toMatchObject({ version: 2, intake: 'intake of the Worker' })
  })

  it('that wins each time is in the way', async () => {
    host.source.before = async () => {
      await putByOther('ana')
      return null
    }
    expect(await consumeOne('ana')).toEqual(
      ended('ana', 0, trouble(expect.stringContaining('in each of 3 tries'))),
    )
    expect(host.source.reads).toHaveLength(3)
  })
})

describe('trouble', () => {
  it('of the source stops all changes, and the source is not asked again', async () => {
    host.source.before = async () => Promise.reject(new SourceTrouble('denied', 'the key is revoked', 0))
    const names = Array.from({ length: 20 }, (_, index) => `seller-${index}`)
    const outcome = { ...trouble('the key is revoked'), isPermanent: true }
    expect(await consume(...names)).toEqual(names.map((name, index) => ended(name, index, outcome)))
    expect(host.source.reads).toHaveLength(6)
    expect(host.lines).toEqual(['changes: the key is revoked'])
  })

  it('of a quota passes the pause on, and lasts only until the source answers', async () => {
    host.source.before = async () => Promise.reject(new SourceTrouble('busy', 'too many reads', 7_000))
    expect(await consumeOne('ana')).toMatchObject({ outcome: { isPermanent: false, retryAfter: 7_000 } })
    host.source.before = async () => null
    expect(await consumeOne('ana')).toMatchObject({ outcome: { kind: 'put' } })
  })

  it('of the store is reported, at the look and at the put', async () => {
    const fail = async (): Promise<never> => Promise.reject(new Error('we are sorry'))
    const { store } = host
    for (const broken of [{ get: fail }, { put: fail }]) {
      host = { ...host, store: { ...store, ...broken } }
      expect(await consumeOne('ana')).toEqual(
        ended('ana', 0, trouble(expect.stringContaining('we are sorry'))),
      )
    }
  })

  it('of an unexpected kind fails one seller alone', async () => {
    host.source.before = async (seller) => (seller === 'ana' ? Promise.reject(new TypeError('odd')) : null)
    expect(await consume('ana', 'eva')).toMatchObject([
      { outcome: { kind: 'failed', reason: 'odd' } },
      { outcome: { kind: 'put' } },
    ])
  })

  it('of the coordinator leaves the messages to the queue, which brings them one by one', async () => {
    const settleChanges = async (): Promise<never> => Promise.reject(new Error('it is down'))
    const batch = createBatch(['ana', 'eva'])
    await consumeChanges(batch, { ...host, ledger: { ...host.ledger, settleChanges } })
    expect(batch.messages.map(({ end }) => end)).toEqual(['again', 'again'])
    const calls: number[] = []
    const counting = async (changes: readonly SettledChange[]): Promise<void> =>
      void calls.push(changes.length)
    const again = createBatch(['ana', 'eva'], 2)
    await consumeChanges(again, { ...host, ledger: { ...host.ledger, settleChanges: counting } })
    expect([calls, again.messages.map(({ end }) => end)]).toEqual([
      [1, 1],
      ['acknowledged', 'acknowledged'],
    ])
  })
})

it('one that ends the Worker does not keep the others of its batch from their turn', async () => {
  const readAgain = async (attempts: number): Promise<readonly string[]> => {
    await consumeChanges(createBatch(['ana', 'bad', 'eva'], attempts), host)
    return host.source.reads.splice(0)
  }
  expect([await readAgain(2), await readAgain(3)]).toEqual([
    ['ana', 'bad', 'eva'],
    ['eva', 'bad', 'ana'],
  ])
})

it('the guard holds removals, and lets the rest of the batch pass', async () => {
  const names = Array.from({ length: 60 }, (_, index) => `seller-${index}`)
  host.source.documents.push(...names.map((name) => user(name)))
  await consume(...names)
  const { documents } = host.source
  documents.splice(0, documents.length, user('seller-0', 'Otra'))
  const outcomes = (await consume(...names)).map(({ outcome }) => outcome.kind)
  expect(outcomes).toEqual(['put', ...Array.from({ length: 59 }, () => 'held')])
  expect(await readHostObject(host, 'seller-1')).toMatchObject({ kind: 'page', version: 1 })
  expect(await host.ledger.readSiteState()).toMatchObject({ sellers: 60, isHeld: true })
})

it('a move that the guard holds is noticed when it is permitted, before the put', async () => {
  const ids = Array.from({ length: 20 }, (_, index) => `p${index}`)
  host.source.documents.push(...ids.map((id) => product(id, 'ana')))
  await consume('ana', 'eva')
  const kept = host.source.documents.filter(({ id }) => !ids.includes(id))
  host.source.documents.splice(0, Infinity, ...kept, ...ids.map((id) => product(id, 'eva')))
  for (const _ of [1, 2]) expect(await consumeOne('ana')).toMatchObject({ outcome: { kind: 'held' } })
  expect(host.noticed).toEqual([])
  await host.ledger.permit({ objects: [], isShrinkAllowed: true })
  expect(await consumeOne('ana')).toMatchObject({ outcome: { kind: 'put' } })
  expect(host.noticed).toEqual(['eva'])
})

it('makes four calls of the coordinator for a batch, and one for a batch of which nothing is wanted', async () => {
  const calls: string[] = []
  const { permit, settle, takeChanges, settleChanges } = host.ledger
  const ledger: MemoryChangeHost['ledger'] = {
    ...host.ledger,
    permit: (call) => (calls.push('permit'), permit(call)),
    settle: (objects, cause) => (calls.push('settle'), settle(objects, cause)),
    takeChanges: (messages) => (calls.push('takeChanges'), takeChanges(messages)),
    settleChanges: (changes) => (calls.push('settleChanges'), settleChanges(changes)),
  }
  await consumeChanges(createBatch(['ana', 'eva', 'nobody']), { ...host, ledger })
  expect(calls).toEqual(['takeChanges', 'permit', 'settle', 'settleChanges'])
  host.source.reads.splice(0)
  const settled = { ...ledger, takeChanges: async () => (calls.push('takeChanges'), []) }
  const late = createBatch(['ana'])
  await consumeChanges(late, { ...host, ledger: settled })
  expect([calls.slice(4), host.source.reads]).toEqual([['takeChanges'], []])
  expect(late.messages.map(({ end }) => end)).toEqual(['acknowledged'])
})

it('a dead letter is a failed seller', async () => {
  const batch = createBatch(['ana'])
  await consumeDeadLetters(batch, host)
  expect(host.settled).toEqual([
    ended('ana', 0, {
      kind: 'failed',
      reason: 'the Worker was stopped, or the coordinator failed, in each of 6 tries to render this page',
    }),
  ])
  expect(batch.messages.map(({ end }) => end)).toEqual(['acknowledged'])
})

it('the queues of the Worker lead to their consumers', async () => {
  const ends = async (queue: string): Promise<readonly string[]> => {
    const batch = { ...createBatch(['ana']), queue }
    await consumeQueue(batch, host)
    return host.settled.splice(0).map(({ outcome }) => outcome.kind)
  }
  expect(await ends('vitrina-staging-changes')).toEqual(['put'])
  expect(await ends('vitrina-dead')).toEqual(['failed'])
  await expect(ends('others')).rejects.toThrow('others')
})

it.each(['canary', '{"client_email":"canary@example.com","private_key":"canary"}', '{"private_key":'])(
  'a key that is none stops all until a person acts, and is not shown',
  async (key) => {
    const source = openSellerSource({ FIREBASE_PROJECT_ID: 'p', FIREBASE_SERVICE_ACCOUNT: key })
    await consumeChanges(createBatch(['ana']), { ...host, source })
    expect(host.settled).toMatchObject([{ outcome: { kind: 'trouble', isPermanent: true } }])
    const told = JSON.stringify([host.settled, host.lines, [...host.objects]])
    expect(told).toContain('FIREBASE_SERVICE_ACCOUNT')
    expect([told.includes('canary'), told.includes('"private_key')]).toEqual([false, false])
  },
)
