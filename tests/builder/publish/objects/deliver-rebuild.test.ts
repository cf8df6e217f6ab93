/** Rebuilds with a delivery to a twin of the Worker: the first fill, changes, and whatever interrupts them. */
import { rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SourceDocument } from '../../../../src/domain/documents/document.ts'
import type { DeliveryOutcome } from '../../../../src/builder/publish/objects/delivery.ts'
import { CallError } from '../../../../src/builder/publish/coordinator/coordinator-client.ts'
import { beginDelivery } from '../../../../src/builder/publish/objects/deliver-rebuild.ts'
import { sendAllAgain } from '../../../../src/builder/publish/objects/find-loss.ts'
import type { ObjectClient } from '../../../../src/builder/publish/objects/object-client.ts'
import { openSentFiles } from '../../../../src/builder/publish/objects/sent-files.ts'
import { rebuild } from '../../../../src/builder/rebuild/rebuild.ts'
import { openSnapshot } from '../../../../src/builder/state/snapshot/open-snapshot.ts'
import type { World } from '../../../../src/builder/rebuild/world.ts'
import type { Source } from '../../../../src/builder/sources/source.ts'
import { product, user } from '../../../support/rebuild/documents.ts'
import { createMemorySource } from '../../../support/rebuild/memory-source.ts'
import type { ObjectsTwin } from '../../../support/edge/objects-twin.ts'
import { createObjectsTwin } from '../../../support/edge/objects-twin.ts'
import { createSearchSite } from '../../../support/search/search-site.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'
import type { WorldSetup } from '../../../support/rebuild/world.ts'
import { createWorld } from '../../../support/rebuild/world.ts'

const path = useTemporaryFolder()
const SELLERS = Array.from({ length: 40 }, (_, at) => `s${at}`)

let twin: ObjectsTwin
let documents: Map<string, SourceDocument>
/** The sellers that the source names as changed. */
let log: string[]
const open: World[] = []
beforeEach(() => {
  twin = createObjectsTwin()
  documents = new Map()
  log = []
  for (const seller of SELLERS) write(seller, 100)
})
afterEach(() => {
  for (const { state } of open.splice(0)) for (const one of [state.snapshot, state.record]) one.close()
})

function write(seller: string, price: number): void {
  documents.set(`user ${seller}`, user(seller))
  documents.set(`product ${seller}`, product(`p-${seller}`, seller, { price }))
  log.push(seller)
}

function remove(seller: string): void {
  documents.delete(`user ${seller}`)
  documents.delete(`product ${seller}`)
  log.push(seller)
}

/** Like the embedded database: it names what changed since the last read. */
function createSource(): Source {
  const source = createMemorySource([...documents.values()])
  return {
    ...source,
    readsWhole: false,
    readChanges: (cursor) =>
      cursor === null
        ? { kind: 'whole', reason: 'the first read' }
        : {
            kind: 'sellers',
            sellers: [...new Set(log.slice(Number(cursor)))],
            documents: [],
            isExact: false,
          },
    readCursor: () => String(log.length),
  }
}

interface Setup extends Partial<WorldSetup> {
  readonly site?: string
  readonly client?: Partial<ObjectClient>
}

async function deliver({
  site = 'https://one.do',
  client = {},
  ...setup
}: Setup = {}): Promise<DeliveryOutcome> {
  const created = createWorld({ folder: path(), documents: [], lane: 'objects', ...setup })
  open.push(created)
  const world = { ...created, openSource: async () => createSource() }
  const sent = openSentFiles(path('sent.sqlite'), site)
  const target = { site, sent, client: { ...twin.client, ...client }, search: createSearchSite().client }
  const begun = await beginDelivery(world, target, world.options.isFull)
  try {
    await rebuild(world)
    return await begun.deliver()
  } finally {
    begun.close()
    sent.close()
    for (const one of [created.state.snapshot, created.state.record]) one.close()
    open.pop()
  }
}

const readPrices = (): Readonly<Record<string, number | null>> =>
  Object.fromEntries(
    [...twin.objects.values()].flatMap(({ name, data }) =>
      data?.kind === 'seller' ? [[name, data.catalogue.products[0]?.price ?? null]] : [],
    ),
  )

const readSource = (): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...documents.values()].flatMap(({ data }) => {
      const { owner, price } = data as { owner?: { id: string }; price?: number }
      return owner === undefined ? [] : [[owner.id, Number(price)]]
    }),
  )

describe('a rebuild with a delivery', () => {
  it('fills the store the first time, and then sends what changed', async () => {
    expect((await deliver()).stored).toHaveLength(40)
    expect((await deliver()).stored).toEqual([])
    write('s3', 200)
    remove('s4')
    expect((await deliver()).stored).toEqual(['s3', 's4'])
    expect([readPrices(), twin.objects.get('s4')?.data]).toEqual([readSource(), null])
  })

  it('fills the store of another site whole, and that of the first again after it', async () => {
    await deliver()
    const other = createObjectsTwin()
    expect((await deliver({ site: 'https://two.do', client: other.client })).stored).toHaveLength(40)
    write('s3', 200)
    expect((await deliver()).stored).toEqual(['s3'])
  })

  it('sends only what differs without its state, also tombstones', async () => {
    await deliver()
    write('s3', 200)
    remove('s4')
    rmSync(path('state'), { recursive: true })
    expect((await deliver()).stored.toSorted()).toEqual(['s3', 's4'])
    rmSync(path('state'), { recursive: true })
    expect(await deliver()).toMatchObject({ stored: [], bytes: 0 })
  })

  it('finds with --full what another writer put', async () => {
    await deliver()
    twin.put('s5', null)
    expect((await deliver()).stored).toEqual([])
    expect((await deliver({ options: { isFull: true } })).stored).toEqual(['s5'])
  })

  it('puts a seller who is named, also if her documents are as the state knows them', async () => {
    await deliver()
    // The Worker put her itself since, and leaves her to a builder now.
    twin.put('s5', null)
    log.push('s5')
    expect((await deliver()).stored).toEqual(['s5'])
    expect(readPrices()).toEqual(readSource())
  })

  it('puts equal data with --full too if its own read found the seller changed', async () => {
    await deliver()
    write('s5', 300)
    // Another builder, with a state of its own, is faster.
    expect((await deliver({ folder: path('other') })).stored).toEqual(['s5'])
    expect((await deliver({ options: { isFull: true } })).stored).toEqual(['s5'])
  })

  it('tries again at once what failed when it is run by hand, and later while it follows the source', async () => {
    await deliver()
    write('s5', 300)
    const tried: string[] = []
    const push: ObjectClient['push'] = async ({ objects }) => {
      tried.push(...objects.map(({ name }) => name))
      return { results: objects.map(({ name }) => ({ name, outcome: 'failed', reason: 'too large' })) }
    }
    for (const isWatch of [false, true, false]) await deliver({ client: { push }, options: { isWatch } })
    expect(tried).toEqual(['s5', 's5'])
    write('s5', 400)
    expect((await deliver({ options: { isWatch: true } })).stored).toEqual(['s5'])
  })

  describe('of a store that loses everything', () => {
    /** Returns whether a picture counts as sent, which it does from now on. */
    const isSent = (): boolean => {
      const sent = openSentFiles(path('sent.sqlite'), 'https://one.do')
      const found = sent.has('fotos/a')
      sent.add(['fotos/a'])
      sent.close()
      return found
    }
    beforeEach(async () => {
      await deliver()
      isSent()
    })

    it('asks for pictures again, and not before', async () => {
      await deliver({ options: { isFull: true } })
      expect(isSent()).toBe(true)
      twin.objects.clear()
      await deliver({ options: { isFull: true } })
      expect(isSent()).toBe(false)
    })

    it.each([false, true])(
      'gets everything again once --setup has created it, although an object was put since (comparison due: %s)',
      async (isDue) => {
        for (const name of SELLERS) if (name !== 's3') twin.objects.delete(name)
        const snapshot = openSnapshot(path('state/snapshot.sqlite'))
        const sent = openSentFiles(path('sent.sqlite'), 'https://one.do')
        if (isDue) snapshot.waits.compare('store')
        sendAllAgain({ snapshot, sent, site: 'https://one.do' })
        for (const one of [snapshot, sent]) one.close()
        expect((await deliver()).stored).toHaveLength(40)
        expect(isSent()).toBe(false)
      },
    )

    it('gets everything again once --setup has created it at another address', async () => {
      for (const name of SELLERS) if (name !== 's3') twin.objects.delete(name)
      const snapshot = openSnapshot(path('state/snapshot.sqlite'))
      const sent = openSentFiles(path('sent.sqlite'), 'https://two.do')
      sendAllAgain({ snapshot, sent, site: 'https://two.do' })
      for (const one of [snapshot, sent]) one.close()
      expect((await deliver({ site: 'https://two.do' })).stored).toHaveLength(40)
    })

    it('asks for pictures again if an object was put since, also for those of that object', async () => {
      twin.objects.clear()
      write('s3', 200)
      expect((await deliver()).stored).toEqual(['s3'])
      expect((await deliver({ options: { isFull: true } })).stored).toHaveLength(40)
      expect(isSent()).toBe(false)
    })
  })

  it.each([false, true])('stores all others after eleven sellers have failed (whole: %s)', async (isFull) => {
    await deliver()
    const broken = SELLERS.toSorted().slice(0, 11)
    for (const seller of SELLERS.filter((name) => name !== 's9')) write(seller, 200)
    remove('s9')
    const push: ObjectClient['push'] = async (batch) => {
      if (batch.objects.some(({ name }) => broken.includes(name))) throw new CallError('status 500', 500)
      return twin.client.push(batch)
    }
    for (let time = 0; time < 2; time += 1)
      await expect(deliver({ client: { push }, options: { isFull } })).rejects.toThrow('status 500')
    const old = Object.fromEntries(broken.map((name) => [name, 100]))
    expect(readPrices()).toEqual({ ...readSource(), ...old })
    expect(twin.objects.get('s9')?.data).toBeNull()
  })

  it('compares everything when code that makes data has changed', async () => {
    await deliver()
    twin.put('s5', null)
    const outcome = await deliver({ siteUrl: 'https://other.do' })
    expect(outcome.stored).toEqual(['s5'])
  })

  it('reads what it pushes after it received the tags', async () => {
    await deliver()
    write('s3', 200)
    const readTags: ObjectClient['readTags'] = async (call) => {
      const answer = await twin.client.readTags(call)
      write('s3', 300)
      return answer
    }
    await deliver({ client: { readTags } })
    expect(readPrices()['s3']).toBe(300)
  })

  it('reads a source again for sellers whose tags it did not know before', async () => {
    await deliver()
    const readTags: ObjectClient['readTags'] = async (call) => {
      const answer = await twin.client.readTags(call)
      write('s7', 700)
      return answer
    }
    await deliver({ client: { readTags }, siteUrl: 'https://other.do' })
    expect(readPrices()['s7']).toBe(700)
  })

  it('never loses a change, and ends with what the source has, whenever it is ended', async () => {
    for (let round = 0; round < 60; round += 1) {
      const changed = SELLERS.filter((_, at) => (at * 7 + round) % 5 === 0)
      for (const seller of changed)
        if (round % 4 === 3 && seller === 's5') remove(seller)
        else write(seller, round)
      let calls = 0
      const end = round % 9
      const interrupt = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
        const isBefore = calls++ === end
        if (isBefore && round % 2 === 0) throw new Error('killed')
        const answer = await work()
        if (isBefore) throw new Error('killed')
        return answer
      }
      const client = {
        readTags: (call: Parameters<ObjectClient['readTags']>[0]) =>
          interrupt(() => twin.client.readTags(call)),
        push: (batch: Parameters<ObjectClient['push']>[0]) => interrupt(() => twin.client.push(batch)),
      }
      await deliver({ client }).catch(() => null)
    }
    await deliver()
    expect(readPrices()).toEqual(readSource())
    expect((await deliver()).stored).toEqual([])
  })
})
