/** The rows that wait for each view: when they are written, when they go, and which stay with their failures. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSnapshot } from '../../../../src/builder/state/snapshot/open-snapshot.ts'
import type { Snapshot } from '../../../../src/builder/state/snapshot/snapshot.ts'
import type { Waits } from '../../../../src/builder/state/snapshot/waits.ts'
import { takeSellers, takeWhole } from '../../../support/edge/items.ts'
import { product, user } from '../../../support/rebuild/documents.ts'
import { settleAll } from '../../../support/rebuild/settle-all.ts'

const DOCUMENTS = [user('ana'), product('a1', 'ana'), user('luz'), product('l1', 'luz')]

let snapshot: Snapshot
let waits: Waits
beforeEach(async () => {
  snapshot = openSnapshot(':memory:')
  waits = snapshot.waits
  waits.beginRun()
  await takeWhole(snapshot, DOCUMENTS)
  settleAll(snapshot)
})
afterEach(() => snapshot.close())

function changePrice(price: number): Promise<unknown> {
  return takeSellers(
    snapshot,
    ['ana'],
    DOCUMENTS.map((one) => (one.id === 'a1' ? product('a1', 'ana', { price }) : one)),
  )
}

function registerIndex(): void {
  waits.register('index', 'one')
  waits.settleComparison('index')
}

describe('a view', () => {
  it('that is new or has another basis is compared', () => {
    expect(waits.readBasis('index')).toBeNull()
    waits.register('index', 'one')
    expect(waits.isCompared('index')).toBe(true)
    waits.settleComparison('index')
    waits.register('index', 'one')
    expect(waits.isCompared('index')).toBe(false)
    waits.register('index', 'two')
    expect([waits.isCompared('index'), waits.readBasis('index')]).toEqual([true, 'two'])
  })

  it('is forgotten in a site without a search, and compared when the search comes back', async () => {
    registerIndex()
    await changePrice(5)
    waits.settle('files', ['ana'])
    expect(waits.list('index')).toEqual(['ana'])
    waits.beginRun(false)
    expect([waits.list('index'), waits.readBasis('index')]).toEqual([[], null])
    await changePrice(6)
    waits.settle('files', ['ana'])
    expect(waits.list('index')).toEqual([])
    waits.beginRun()
    waits.register('index', 'one')
    expect(waits.isCompared('index')).toBe(true)
  })

  it('is compared once after a first read, instead of each of its sellers', async () => {
    const other = openSnapshot(':memory:')
    other.waits.beginRun()
    settleAll(other)
    await takeWhole(other, DOCUMENTS)
    expect([other.waits.list('files'), other.waits.isCompared('files')]).toEqual([[], true])
    other.close()
  })
})

describe('a seller', () => {
  it('who is named waits without a difference', async () => {
    const read = { sellers: [], documents: [], named: ['luz'], items: noItems(), lookUp: () => [] }
    await snapshot.applyPartial(read, () => ({ source: '', intake: '', cursor: null }))
    expect(waits.list('files')).toEqual(['luz'])
  })

  it('whose read is refused does not wait', async () => {
    const read = { sellers: [], documents: [], named: ['luz'], items: noItems(), lookUp: () => [] }
    const refuse = (): never => {
      throw new Error('refused')
    }
    await expect(snapshot.applyPartial(read, refuse)).rejects.toThrow('refused')
    expect(waits.list('files')).toEqual([])
  })

  it('whose pictures changed waits from the moment that the position moves', () => {
    const position = { identity: 'store', sequence: 7 }
    snapshot.applyPictures(['luz'], position)
    expect([waits.list('files'), snapshot.readPictures()]).toEqual([['luz'], position])
  })

  it('keeps since when she waits, and is of the last run that found her changed', async () => {
    await changePrice(5)
    waits.postpone('files', [{ seller: 'ana', reason: 'throws' }])
    const first = waits.readFailed('files')
    const run = waits.readRun()
    waits.beginRun()
    await changePrice(6)
    expect(waits.readFailed('files')).toEqual(first)
    expect([waits.list('files', run), waits.list('files')]).toEqual([[], ['ana']])
  })

  it('who failed comes after all others, also with new data', async () => {
    waits.postpone('files', [{ seller: 'ana', reason: 'too large' }])
    waits.add(['luz', 'mar'])
    await changePrice(5)
    expect(waits.list('files')).toEqual(['luz', 'mar', 'ana'])
  })

  it('who failed stays with reason and tries, also after new data', async () => {
    await changePrice(5)
    for (const reason of ['too large', 'still too large'])
      waits.postpone('files', [{ seller: 'ana', reason }])
    const late = { seller: 'ana', tries: 2, reason: 'still too large' }
    expect(waits.readFailed('files')).toMatchObject([late])
    await changePrice(6)
    expect(waits.list('files')).toEqual(['ana'])
    expect(waits.readFailed('files')).toMatchObject([late])
  })

  it('who failed without a change waits from then on', () => {
    waits.postpone('files', [{ seller: 'luz', reason: 'throws' }])
    expect(waits.readFailed('files')).toMatchObject([{ seller: 'luz', tries: 1, reason: 'throws' }])
  })
})

describe('the index', () => {
  it('is not waited for before it is registered', async () => {
    await changePrice(5)
    waits.settle('files', ['ana'])
    registerIndex()
    expect(waits.list('index')).toEqual([])
  })

  it('is waited for once the row of files goes, and not while another one is there', async () => {
    registerIndex()
    await changePrice(5)
    expect(waits.list('index')).toEqual([])
    waits.settle('files', ['ana'])
    expect(waits.list('index')).toEqual(['ana'])
    await changePrice(6)
    expect(waits.list('index')).toEqual([])
  })

  it('has no rows of sellers that files had before', () => {
    registerIndex()
    waits.settle('files', ['ana', 'luz'])
    expect(waits.list('index')).toEqual([])
  })

  it('is compared after a comparison of files', () => {
    registerIndex()
    waits.compare('files')
    expect(waits.isCompared('index')).toBe(false)
    waits.settleComparison('files')
    expect(waits.isCompared('index')).toBe(true)
  })

  it('has rows of the run in which files had the seller, which a publish shows or not', async () => {
    registerIndex()
    await changePrice(5)
    const published = waits.readRun()
    waits.beginRun()
    waits.settle('files', ['ana'])
    expect(waits.list('index', published)).toEqual([])
    waits.addToIndex(['ana', 'luz'], published)
    expect(waits.list('index', published)).toEqual(['luz'])
    expect(waits.list('index')).toEqual(['ana', 'luz'])
  })
})

async function* noItems(): AsyncGenerator<never> {}
