/** The delivery of named objects: nothing is lost, and data never goes back. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { SellerData } from '../../../../src/domain/objects/object-data.ts'
import type { PushBatch } from '../../../../src/domain/wire/object-calls.ts'
import { LARGEST_PUSH } from '../../../../src/domain/wire/call.ts'
import { OBJECT_CALLS } from '../../../../src/domain/wire/object-calls.ts'
import { CallError } from '../../../../src/builder/publish/coordinator/coordinator-client.ts'
import { deliverObjects } from '../../../../src/builder/publish/objects/deliver-objects.ts'
import type { Delivery } from '../../../../src/builder/publish/objects/delivery.ts'
import { formatBody } from '../../../../src/builder/publish/coordinator/call-methods.ts'
import { createSeller } from '../../../support/edge/object-data.ts'
import type { MemoryOutbox, ObjectsTwin } from '../../../support/edge/objects-twin.ts'
import { createDelivery, createObjectsTwin, createOutbox } from '../../../support/edge/objects-twin.ts'

let twin: ObjectsTwin
let outbox: MemoryOutbox
let source: Map<string, SellerData>
let delivery: Delivery
beforeEach(() => {
  twin = createObjectsTwin()
  outbox = createOutbox()
  source = new Map()
  delivery = createDelivery(twin, outbox, source)
})

function change(...names: readonly string[]): void {
  for (const name of names) source.set(name, createSeller(name, `${name} ${source.size}`))
  outbox.add(names)
}

const readData = (name: string): SellerData | null | undefined => twin.objects.get(name)?.data

describe('the delivery', () => {
  it('stores what the outbox names, and nothing else, in batches of at most 100', async () => {
    change(...Array.from({ length: 250 }, (_, at) => `s${at}`))
    source.set('other', createSeller('other', 'Other'))
    const outcome = await deliverObjects(delivery)
    expect(twin.batches.map(({ objects }) => objects.length)).toEqual([100, 100, 50])
    expect([outcome.stored.length, outcome.bytes > 0, outbox.names.size]).toEqual([250, true, 0])
    expect([...twin.objects.keys()]).not.toContain('other')
  })

  it('leaves a tombstone of a seller that is gone, also without an object: another builder may be about to put it', async () => {
    twin.put('gone', createSeller('gone', 'Gone'))
    outbox.add(['gone', 'never'])
    const { stored } = await deliverObjects(delivery)
    expect([stored, readData('gone'), readData('never')]).toEqual([['gone', 'never'], null, null])
    expect(twin.objects.has('never')).toBe(true)
    expect(outbox.names.size).toBe(0)
  })

  it('puts equal data all the same', async () => {
    change('ana')
    await deliverObjects(delivery)
    outbox.add(['ana'])
    await deliverObjects(delivery)
    expect(twin.objects.get('ana')?.version).toBe(2)
  })

  it('lifts the hold of the guard when it is allowed to, also if nothing waits', async () => {
    await deliverObjects(delivery)
    expect(twin.batches).toEqual([])
    await deliverObjects({ ...delivery, isShrinkAllowed: true })
    expect(twin.batches).toMatchObject([{ objects: [], isShrinkAllowed: true }])
  })

  it('reads again, and after the new tag, when another writer was faster', async () => {
    change('ana')
    let reads = 0
    twin.intercept = async () => {
      if (reads++ === 0) {
        source.set('ana', createSeller('ana', 'Newest'))
        twin.put('ana', createSeller('ana', 'Of the other'))
      }
      return null
    }
    const outcome = await deliverObjects(delivery)
    expect(readData('ana')).toEqual(createSeller('ana', 'Newest'))
    expect([outcome.stored, outcome.beaten, outbox.names.size]).toEqual([['ana'], [], 0])
  })

  it('ends when it is beaten each time, and keeps the name', async () => {
    change('ana')
    twin.intercept = async (name) => ({ name, outcome: 'beaten' })
    const { stored, beaten } = await deliverObjects(delivery)
    expect([stored, beaten, [...outbox.names]]).toEqual([[], ['ana'], ['ana']])
  })

  it('keeps what is refused or failed, pushes it once, and stores the others', async () => {
    change('ana', 'eva', 'lia')
    twin.intercept = async (name) => {
      if (name === 'ana') return { name, outcome: 'refused', reason: 'too much' }
      return name === 'eva' ? { name, outcome: 'failed', reason: 'it throws' } : null
    }
    expect(await deliverObjects(delivery)).toMatchObject({
      stored: ['lia'],
      refused: [{ seller: 'ana', reason: 'too much' }],
      failed: [{ seller: 'eva', reason: 'it throws' }],
      beaten: [],
    })
    expect([twin.batches.length, [...outbox.names]]).toEqual([1, ['ana', 'eva']])
  })

  it('delivers what a read adds to the outbox, also a seller that it has stored before', async () => {
    change('ana', 'eva')
    let isFirst = true
    await deliverObjects({
      ...delivery,
      readObjects: async (names) => {
        const read = await delivery.readObjects(names)
        if (isFirst) outbox.add(['lia'])
        isFirst = false
        source.set('lia', createSeller('lia', 'Lía'))
        return read
      },
    })
    expect([...twin.objects.keys()].sort()).toEqual(['ana', 'eva', 'lia'])
  })
})

describe('a seller whose call ends the Worker', () => {
  /** Calls with objects of these sellers fail. */
  function breakSellers(...names: readonly string[]): void {
    const { push } = delivery
    delivery = {
      ...delivery,
      push: (batch) => {
        if (!batch.objects.some(({ name }) => names.includes(name))) return push(batch)
        throw new CallError('answered with status 500', 500)
      },
    }
  }

  it('is reported as failed and waits, and all behind her are delivered', async () => {
    change(...Array.from({ length: 250 }, (_, at) => `s${at}`))
    breakSellers('s7')
    const { stored, failed } = await deliverObjects(delivery)
    expect([stored.length, failed.map(({ seller }) => seller)]).toEqual([249, ['s7']])
    expect(failed[0]?.reason).toContain('answered with status 500')
    expect([...outbox.names]).toEqual(['s7'])
  })

  it('ends the delivery if there are ten before her, in other batches too', async () => {
    const names = Array.from({ length: 250 }, (_, at) => `s${at}`)
    change(...names)
    breakSellers(...names.filter((_, at) => at % 20 === 0))
    await expect(deliverObjects(delivery)).rejects.toThrow('answered with status 500')
  })

  it('is not looked for if the coordinator fails in a first fill, although the site answers empty pushes', async () => {
    change('eva', 'lia')
    breakSellers('eva', 'lia')
    const { readTags, push } = delivery
    const asked: string[] = []
    delivery = {
      ...delivery,
      readTags: (call) => {
        asked.push('names' in call ? call.names.join() : 'bucket')
        // The tags of absent objects need only the store, which answers.
        if ('bucket' in call) throw new CallError('answered with status 500', 500)
        return readTags(call)
      },
      push: (batch) => {
        asked.push('push')
        return push(batch)
      },
    }
    await expect(deliverObjects(delivery)).rejects.toThrow('answered with status 500')
    expect([asked, [...outbox.names]]).toEqual([
      ['eva,lia', 'push', 'bucket'],
      ['eva', 'lia'],
    ])
  })

  it('is not looked for if the site answers no push at all', async () => {
    change('ana', 'eva')
    let calls = 0
    const push = async (): Promise<never> => {
      calls += 1
      throw new CallError('answered with status 422', 422)
    }
    await expect(deliverObjects({ ...delivery, push })).rejects.toThrow('answered with status 422')
    expect([calls, [...outbox.names]]).toEqual([2, ['ana', 'eva']])
  })
})

describe('a batch', () => {
  it('fits into a call with any objects', async () => {
    const noise = (length: number): string =>
      Array.from({ length }, () => Math.random().toString(36).slice(2, 12)).join('')
    for (let at = 0; at < 8; at += 1) source.set(`s${at}`, createSeller(`s${at}`, noise(80_000)))
    outbox.add([...source.keys()])
    const sizes: number[] = []
    const push = (batch: PushBatch) => {
      sizes.push(formatBody(OBJECT_CALLS.push, batch).length)
      return delivery.push(batch)
    }
    await deliverObjects({ ...delivery, push })
    expect(Math.max(...sizes)).toBeLessThan(LARGEST_PUSH)
    expect(twin.objects.size).toBe(8)
  })

  it('is left without an object that fits into none, which is reported', async () => {
    change('ana')
    source.set('eva', createSeller('eva', '€'.repeat(12 * 1024 * 1024)))
    outbox.add(['eva'])
    const { stored, failed } = await deliverObjects(delivery)
    expect([stored, failed[0]?.seller]).toEqual([['ana'], 'eva'])
  })

  it('is sent after the pictures that it shows; without one of them the object fails', async () => {
    const order: string[] = []
    source.set('ana', createSeller('ana', 'Ana', ['fotos/a.avif']))
    source.set('eva', createSeller('eva', 'Eva', ['fotos/lost.avif']))
    outbox.add(['ana', 'eva'])
    const { stored, failed } = await deliverObjects({
      ...delivery,
      sendFiles: async (paths) => {
        order.push(...paths)
        return new Set(['fotos/lost.avif'])
      },
      push: (batch) => {
        order.push(...batch.objects.map(({ name }) => name))
        return delivery.push(batch)
      },
    })
    expect(order).toEqual(['fotos/a.avif', 'fotos/lost.avif', 'ana'])
    expect([stored, failed.map(({ seller }) => seller)]).toEqual([['ana'], ['eva']])
  })
})
