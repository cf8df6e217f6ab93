/** The refill renders objects of other code from their own data, for the live code alone, however its messages arrive. */
import type { QueueMessage } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { formatObjectKey } from '../../../src/domain/objects/object-key.ts'
import type { RefillMessage } from '../../../src/edge/coordinator/object-ledger.ts'
import type { EdgeRenderer } from '../../../src/edge/pages/edge-renderer.ts'
import type { ObjectHost } from '../../../src/edge/pages/object-host.ts'
import { listTags } from '../../../src/edge/pages/list-tags.ts'
import { parsePageObject } from '../../../src/edge/pages/page-object.ts'
import { pushObjects } from '../../../src/edge/pages/push-objects.ts'
import { consumeRefill, sendNextStep } from '../../../src/edge/pages/refill.ts'
import { refillPart } from '../../../src/edge/pages/refill-part.ts'
import { createEdgeRenderer } from '../../support/edge-renderer.ts'
import type { MemoryHost } from '../../support/object-host.ts'
import { createMemoryHost, createSeller } from '../../support/object-host.ts'

const NAMES = Array.from({ length: 40 }, (_, index) => `seller-${index}`)
const FIRST = { bucket: 0, after: null }

let host: MemoryHost
/** The same site after a deploy of other code. */
let next: ObjectHost
beforeEach(async () => {
  host = createMemoryHost(createEdgeRenderer('one'))
  next = { ...host, renderer: createEdgeRenderer('two') }
  const sellers = NAMES.map((name) => ({ name, tag: null, data: createSeller(name) }))
  const home = { name: '', tag: null, data: { kind: 'home', stores: NAMES, social: null } } as const
  await push([...sellers, home])
  await host.ledger.goLive('two')
})

async function push(objects: Parameters<typeof pushObjects>[0]['objects']): Promise<void> {
  await pushObjects({ format: 1, intake: 'reader', objects, isShrinkAllowed: false }, host, () => 1)
}

/** Delivers a message. Returns what became of it: `null` for done, or the delay of another try. */
async function deliver(body: RefillMessage, to: ObjectHost = next, attempts = 1): Promise<number | null> {
  let delay: number | null = null
  const message: QueueMessage<RefillMessage> = {
    body,
    attempts,
    ack: () => {},
    retry: ({ delaySeconds }) => void (delay = delaySeconds),
  }
  await consumeRefill({ messages: [message] }, to)
  return delay
}

/** Delivers all messages, and those that they send. */
async function deliverAll(to: ObjectHost = next): Promise<void> {
  for (let message = host.messages.shift(); message !== undefined; message = host.messages.shift())
    await deliver(message, to)
}

async function readObject(name: string): Promise<{ version: number; code?: string; intake?: string }> {
  return parsePageObject(host.objects.get(await formatObjectKey(name))?.bytes ?? new Uint8Array())
}

async function readCodes(): Promise<ReadonlySet<string | undefined>> {
  return new Set(await Promise.all([...NAMES, ''].map(async (name) => (await readObject(name)).code)))
}

function createThrowing(broken: string): EdgeRenderer {
  return createEdgeRenderer('two', (page) => {
    if (page.kind === 'catalogue' && page.catalogue.seller === broken) throw new Error('no such brand')
    return JSON.stringify(page)
  })
}

it('renders every object, the home page too, with its data, its intake and the next version', async () => {
  await push([
    {
      name: 'seller-0',
      tag: (await listTags({ names: ['seller-0'] }, host)).objects[0]?.tag ?? null,
      data: null,
    },
  ])
  const digests = async (): Promise<unknown> =>
    (await listTags({ names: NAMES }, host)).objects.map(({ digest }) => digest)
  const before = await digests()
  await sendNextStep(next)
  await deliverAll()
  expect(await readCodes()).toEqual(new Set(['two', undefined]))
  expect(await readObject('seller-1')).toMatchObject({ version: 2, intake: 'reader' })
  expect(await readObject('seller-0')).toEqual({ kind: 'gone', version: 2 })
  expect(await digests()).toEqual(before)
  expect(await host.ledger.readSiteState()).toMatchObject({ refill: { done: 256, of: 256 } })
  expect(host.ledger.objects.readStanding().refill).toMatchObject({ rendered: 40, failed: 0 })
})

it('goes on in the next message when its time is over', async () => {
  let time = 0
  const parts = []
  for (let step: typeof FIRST | null = FIRST; step !== null && parts.length < 100;) {
    const part = await refillPart(step, next, () => (time += 2_000))
    parts.push(part)
    step = part.next as typeof FIRST | null
  }
  expect(parts.length).toBeGreaterThan(20)
  expect(parts.reduce((sum, { rendered }) => sum + rendered, 0)).toBe(41)
  expect(await readCodes()).toEqual(new Set(['two']))
})

it('leaves a page that throws as it is, counts it, and renders the others', async () => {
  const broken = { ...next, renderer: createThrowing('seller-7') }
  await sendNextStep(broken)
  await deliverAll(broken)
  expect(await readObject('seller-7')).toMatchObject({ version: 1, code: 'one' })
  expect(host.ledger.objects.readStanding().refill).toMatchObject({ rendered: 40, failed: 1 })
  expect(host.lines).toEqual([expect.stringContaining('no such brand')])
})

it('keeps newer data that another writer put meanwhile', async () => {
  const name = NAMES[3] ?? ''
  const tag = (await listTags({ names: [name] }, host)).objects[0]?.tag ?? null
  const key = await formatObjectKey(name)
  const { get } = host.store
  let isFirst = true
  const store = {
    ...host.store,
    get: async (wanted: string) => {
      const seen = await get(wanted)
      if (wanted === key && isFirst) {
        isFirst = false
        await push([{ name, tag, data: createSeller(name, []) }])
      }
      return seen
    },
  }
  await refillPart(FIRST, { ...next, store })
  const object = parsePageObject(host.objects.get(key)?.bytes ?? new Uint8Array())
  expect(object).toMatchObject({ version: 3, code: 'two' })
  expect(object.kind === 'page' ? object.readData() : null).toEqual(createSeller(name, []))
})

it('has at most six small objects in memory at a time, and large ones alone', async () => {
  const { list, get } = host.store
  /** Reads last until `expected` of them are in work: a count that no speed of the machine changes. */
  const measure = async (size: number, expected: number): Promise<number> => {
    let [held, most] = [0, 0]
    const { promise: together, resolve } = Promise.withResolvers<void>()
    const store = {
      ...host.store,
      list: async (...args: Parameters<typeof list>) => {
        const { objects } = await list('sellers/', args[1])
        return { objects: objects.map((one) => ({ ...one, size })), next: null }
      },
      get: async (key: string) => {
        most = Math.max(most, (held += 1))
        if (held === expected) resolve()
        await together
        return get(key).finally(() => (held -= 1))
      },
    }
    await refillPart(
      { bucket: 255, after: null },
      { ...host, store, renderer: createEdgeRenderer(String(size)) },
    )
    return most
  }
  expect(await measure(1_000, 6)).toBe(6)
  expect(await measure(3_000_000, 2)).toBe(2)
  expect(await measure(25_000_000, 1)).toBe(1)
})

describe('a message', () => {
  it('that came twice ends no other and starts no second row of messages', async () => {
    await sendNextStep(next)
    const [message = { code: '', ...FIRST }] = host.messages.splice(0)
    await Promise.all([deliver(message), deliver(message)])
    const [following] = host.messages
    expect(host.messages).toEqual([expect.objectContaining({ code: 'two' })])
    expect(await deliver(message)).toBeNull()
    expect(host.messages).toEqual([following])
    await deliverAll()
    expect(await deliver(message)).toBeNull()
    expect(host.messages).toEqual([])
    expect(await readCodes()).toEqual(new Set(['two']))
    expect(await readObject('seller-1')).toMatchObject({ version: 2 })
  })

  it('of a code that is not live does nothing', async () => {
    await sendNextStep(next)
    await host.ledger.goLive('one')
    expect(await deliver({ code: 'two', ...FIRST })).toBeNull()
    expect(await readCodes()).toEqual(new Set(['one']))
  })

  it('of the live code waits for a Worker of that code', async () => {
    expect(await deliver({ code: 'two', ...FIRST }, host)).toBe(10)
    expect(await readCodes()).toEqual(new Set(['one']))
  })

  it('is tried again when the store or the queue fails, and goes on where the work is', async () => {
    const failing = { ...host.store, list: async () => Promise.reject(new Error('R2 is down')) }
    expect(await deliver({ code: 'two', ...FIRST }, { ...next, store: failing })).toBe(30)
    const mute = { ...next, sendRefill: async () => Promise.reject(new Error('no queue')) }
    expect(await deliver({ code: 'two', ...FIRST }, mute, 2)).toBe(30)
    expect(host.lines).toEqual(['refill: R2 is down', 'refill: no queue'])
    expect(await deliver({ code: 'two', ...FIRST }, next, 3)).toBeNull()
    await deliverAll()
    expect(await readCodes()).toEqual(new Set(['two']))
  })

  it('that was lost is sent again after a while', async () => {
    await sendNextStep(next)
    host.messages.length = 0
    host.ledger.clock.now += 10 * 60_000
    expect(host.ledger.restart()).toEqual({ code: 'two', ...FIRST })
  })
})
