import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SourceDocument } from '../../../../src/domain/documents/document.ts'
import { openSnapshot } from '../../../../src/builder/state/snapshot/open-snapshot.ts'
import type { SnapshotChange, Snapshot } from '../../../../src/builder/state/snapshot/snapshot.ts'
import { product, user, withNumber, withTime } from '../../../support/rebuild/documents.ts'
import { batchItems } from '../../../../src/builder/sources/batch-items.ts'
import {
  POSITION,
  createWholeRead,
  streamItems,
  takeSellers,
  takeWhole,
} from '../../../support/edge/items.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'
import { takeSettled } from '../../../support/rebuild/settle-all.ts'

const path = useTemporaryFolder()
let snapshot: Snapshot

beforeEach(() => {
  snapshot = openSnapshot(path('snapshot.sqlite'))
  snapshot.waits.beginRun()
})
afterEach(() => snapshot.close())

const DOCUMENTS: readonly SourceDocument[] = [
  user('ana', 'Ana', 'Núñez'),
  user('luz', 'Luz', ''),
  product('a1', 'ana'),
  product('a2', 'ana'),
  product('l1', 'luz'),
  product('z1', 'no-profile'),
]

const TOTALS = { sellers: 3, profiles: 2, products: 4 }
const NOTHING = { sellers: 0, profiles: 0, products: 0 }

function without(...ids: readonly string[]): readonly SourceDocument[] {
  return DOCUMENTS.filter(({ id }) => !ids.includes(id))
}

const settle = (documents = DOCUMENTS): Promise<void> => takeSettled(snapshot, documents)

function readProducts(seller: string): readonly string[] | undefined {
  return snapshot.readCatalogue(seller)?.products.map(({ id }) => id)
}

/** All that can be seen of the snapshot. */
function readEverything() {
  const sellers = [...snapshot.readSellers()]
  return {
    catalogues: sellers.map((seller) => snapshot.readCatalogue(seller)),
    totals: snapshot.readTotals(),
    problems: snapshot.readProblems(),
    waiting: snapshot.waits.list(),
    isCompared: snapshot.waits.isCompared(),
    position: snapshot.readPosition(),
  }
}

describe('a whole read', () => {
  it('of the same documents marks nothing, in any order of documents and keys', async () => {
    await settle()
    const shuffled = DOCUMENTS.toReversed().map((document) => {
      const data = Object.fromEntries(Object.entries(document.data as object).toReversed())
      return { ...document, data: { ...data, stock: 7 } }
    })
    const change = await takeWhole(snapshot, shuffled)
    expect(change).toMatchObject({ gone: NOTHING, after: TOTALS })
    expect(snapshot.waits.list()).toEqual([])
  })

  it('marks the seller whose number for orders changed, was added or was taken away', async () => {
    await settle()
    for (const [number, shown] of [
      ['809-555-0100', '18095550100'],
      [8_295_550_101, '18295550101'],
      ['no number', null],
    ]) {
      await takeWhole(snapshot, [...without('luz'), withNumber(user('luz', 'Luz', ''), number)])
      expect(snapshot.readCatalogue('luz')).toMatchObject({ name: 'Luz', whatsapp: shown })
      expect(snapshot.waits.list()).toEqual(['luz'])
      snapshot.waits.settle(['luz'])
    }
    expect(snapshot.readProblems()).toMatchObject([{ collection: 'users', id: 'luz', field: 'whatsapp' }])
  })
})

describe('a document that cannot be shown', () => {
  it('is left out and reported once, and gone from the report when it is mended', async () => {
    const odd: SourceDocument = { collection: 'cataloge', id: 'odd', updateTime: null, data: 'text' }
    await takeWhole(snapshot, [...DOCUMENTS, odd, product('dear', 'ana', { price: 'x' })])
    await takeWhole(snapshot, [...DOCUMENTS, odd, product('dear', 'ana', { price: 'x' })])
    expect(snapshot.readProblems()).toMatchObject([
      { collection: 'cataloge', id: 'dear', field: 'price', fatal: false },
      { collection: 'cataloge', id: 'odd', field: '', fatal: true },
    ])
    await takeWhole(snapshot, [...DOCUMENTS, product('dear', 'ana')])
    expect(snapshot.readProblems()).toEqual([])
  })

  it('has an id that survives as it is, with any characters', async () => {
    const ids = ['a\u0000b', '\u202e', '"; DROP TABLE entries; --', 'é', 'e\u0301', '__proto__', '😀', ' ']
    await takeWhole(snapshot, [
      ...ids.map((id) => product(id, 'ana')),
      ...ids.map((id) => product(id + id, '404')),
    ])
    expect(new Set(readProducts('ana'))).toEqual(new Set(ids))
    expect(new Set(snapshot.readProblems().flatMap(({ id, fatal }) => (fatal ? [id] : [])))).toEqual(
      new Set(ids.map((id) => id + id)),
    )
    await takeWhole(snapshot, [user('ana')])
    expect(readProducts('ana')).toEqual([])
  })

  it('replaces an unreadable line too', async () => {
    const problem = {
      collection: 'users',
      id: 'line 3',
      field: '',
      reason: 'is not JSON',
      fatal: true,
    } as const
    await snapshot.applyWhole(createWholeRead(streamItems(DOCUMENTS, [problem])), () => POSITION)
    expect(snapshot.readProblems()).toEqual([problem])
    expect(snapshot.readTotals()).toEqual(TOTALS)
  })
})

describe('a change of prices', () => {
  const price = (id: string, value: unknown, decant: unknown = 1): SourceDocument =>
    product(id, 'ana', { price: value, _5ml: { price: decant, available: true } })

  it('counts the products that stay and lost one', async () => {
    await settle([price('a', 1), price('b', 1), price('c', 1), price('d', 'none')])
    const change = await takeWhole(snapshot, [
      price('a', 'x'),
      price('b', 2),
      price('c', 1, 'x'),
      price('d', 3),
    ])
    expect(change.pricesGone).toBe(2)
    const next = await takeSellers(snapshot, ['ana'], [price('b', 'x'), price('c', 1), price('d', 3)])
    expect(next).toMatchObject({ pricesGone: 1, gone: { products: 1 } })
    expect((await takeWhole(snapshot, [price('e', 'x')])).pricesGone).toBe(0)
  })
})

describe('a document that is read twice', () => {
  it('counts once, in its last version, at any times', async () => {
    const versions = [1, 2, 3].map((day) =>
      withTime(product('a1', 'ana', { price: day }), `2026-05-0${day}T00:00:00.000Z`),
    )
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ]) {
      const change = await takeWhole(
        snapshot,
        order.flatMap((index) => versions[index] ?? []),
      )
      const last = (order.at(-1) ?? 0) + 1
      expect(snapshot.readCatalogue('ana')?.products.map(({ price }) => price)).toEqual([last])
      expect(change).toMatchObject({ reads: 3, after: { sellers: 1, profiles: 0, products: 1 } })
      expect(snapshot.readProblems()).toMatchObject([
        { id: 'a1', reason: expect.stringContaining('more than once') as string },
      ])
    }
  })

  it('appears once, with its last owner', async () => {
    for (const owners of [
      ['ana', 'luz'],
      ['luz', 'ana', 'luz'],
    ]) {
      await takeWhole(snapshot, [...DOCUMENTS, ...owners.map((owner) => product('m', owner))])
      expect(readProducts('ana')).not.toContain('m')
      expect(readProducts('luz')).toContain('m')
    }
  })

  it('is left out when its last version is invalid, and shown when only an earlier one is', async () => {
    const [good, bad] = [product('m', 'ana'), product('m', 'ana', { name: 7 })]
    for (const settleAgain of [
      takeWhole,
      (to: Snapshot, all: readonly SourceDocument[]) => takeSellers(to, ['ana'], all),
    ]) {
      await settleAgain(snapshot, [user('ana'), good, bad])
      expect(readProducts('ana')).toEqual([])
      expect(snapshot.readTotals().products).toBe(0)
      expect(snapshot.readProblems()).toMatchObject([{ id: 'm', field: 'name', fatal: true }])
      await settleAgain(snapshot, [user('ana'), bad, good])
      expect(readProducts('ana')).toEqual(['m'])
      expect(snapshot.readTotals().products).toBe(1)
      expect(snapshot.readProblems()).toMatchObject([{ id: 'm', field: '', fatal: false }])
    }
  })
})

describe('a refused change', () => {
  const refuse = (seen: SnapshotChange[]) => (change: SnapshotChange) => {
    seen.push(change)
    throw new Error('refused')
  }

  it('leaves everything as it was, and was seen with its counts', async () => {
    await settle()
    const before = readEverything()
    const seen: SnapshotChange[] = []
    const items = streamItems([user('fresh'), product('odd', 'ana', { price: 'x' })])
    await expect(snapshot.applyWhole(createWholeRead(items), refuse(seen))).rejects.toThrow('refused')
    const read = { sellers: ['ana'], documents: [], named: [], items: batchItems([]), lookUp: () => [] }
    await expect(snapshot.applyPartial(read, refuse(seen))).rejects.toThrow('refused')
    const whole = { sellers: 2, profiles: 2, products: 4 }
    expect(seen.map(({ gone }) => gone)).toEqual([whole, { sellers: 1, profiles: 1, products: 2 }])
    expect(readEverything()).toEqual(before)
  })

  it('leaves nothing behind for the next read, nor does a source that fails half-way', async () => {
    await settle()
    const before = readEverything()
    async function* failing() {
      yield* streamItems([user('half'), product('a1', 'half')])
      throw new Error('the connection was reset')
    }
    await expect(snapshot.applyWhole(createWholeRead(failing()), () => POSITION)).rejects.toThrow('reset')
    const read = {
      sellers: ['ana'],
      documents: [],
      named: [],
      items: batchItems(failing()),
      lookUp: () => [],
    }
    await expect(snapshot.applyPartial(read, () => POSITION)).rejects.toThrow('reset')
    const lost = { ...read, items: batchItems([]), lookUp: () => failing() }
    await expect(snapshot.applyPartial(lost, () => POSITION)).rejects.toThrow('reset')
    expect(readEverything()).toEqual(before)
    await takeWhole(snapshot, DOCUMENTS)
    expect(readEverything()).toEqual(before)
  })
})
