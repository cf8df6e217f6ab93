/** The rows that wait for each view: when they are written, when they go, and which stay with their failures. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
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
  waits.beginRun('files')
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

it('does not wait longer than ten minutes for a next try, although the clock was ahead', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrina-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'snapshot.sqlite')
  const kept = openSnapshot(file)
  kept.waits.beginRun('store')
  // After so many tries the next one is due in minutes, which pass on no busy machine.
  for (let tries = 0; tries < 10; tries += 1)
    kept.waits.postpone('store', [{ seller: 'ana', reason: 'refused' }])
  expect(kept.waits.list('store', { isDue: true })).toEqual([])
  const database = new DatabaseSync(file)
  database.exec('UPDATE waits SET next = next + 31536000000')
  database.close()
  expect(kept.waits.list('store', { isDue: true })).toEqual(['ana'])
  kept.close()
})

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

  it('that another one takes the place of is forgotten, and compared when it comes back', async () => {
    await changePrice(5)
    waits.beginRun('store')
    expect([waits.list('files'), waits.readBasis('files')]).toEqual([[], null])
    await changePrice(6)
    expect([waits.list('files'), waits.list('store')]).toEqual([[], ['ana']])
    settleAll(snapshot, 'store')
    waits.beginRun('files')
    expect([waits.isCompared('files'), waits.readBasis('store')]).toEqual([true, null])
  })

  it('is forgotten in a site without a search, and compared when the search comes back', async () => {
    registerIndex()
    await changePrice(5)
    waits.settle('files', ['ana'])
    expect(waits.list('index')).toEqual(['ana'])
    waits.beginRun('files', false)
    expect([waits.list('index'), waits.readBasis('index')]).toEqual([[], null])
    await changePrice(6)
    waits.settle('files', ['ana'])
    expect(waits.list('index')).toEqual([])
    waits.beginRun('files')
    waits.register('index', 'one')
    expect(waits.isCompared('index')).toBe(true)
  })

  it('is compared once after a first read, instead of each of its sellers', async () => {
    const other = openSnapshot(':memory:')
    other.waits.beginRun('files')
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
    waits.beginRun('files')
    await changePrice(6)
    expect(waits.readFailed('files')).toEqual(first)
    expect([waits.list('files', { run }), waits.list('files')]).toEqual([[], ['ana']])
  })

  it('who failed comes after all others, also with new data', async () => {
    waits.postpone('files', [{ seller: 'ana', reason: 'too large' }])
    waits.add(['luz', 'mar'])
    await changePrice(5)
    expect(waits.list('files')).toEqual(['luz', 'mar', 'ana'])
  })

  it('who failed stays with reason and tries, is not due for a while, and is after new data', async () => {
    await changePrice(5)
    // As many as above.
    const reasons = ['too large', ...Array.from({ length: 9 }, () => 'still too large')]
    for (const reason of reasons) waits.postpone('files', [{ seller: 'ana', reason }])
    const late = { view: 'files', seller: 'ana', tries: 10, reason: 'still too large' }
    expect(waits.readFailed('files')).toMatchObject([late])
    expect([waits.list('files'), waits.list('files', { isDue: true })]).toEqual([['ana'], []])
    await changePrice(6)
    expect(waits.list('files', { isDue: true })).toEqual(['ana'])
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
    waits.beginRun('files')
    waits.settle('files', ['ana'])
    expect(waits.list('index', { run: published })).toEqual([])
    waits.addToIndex(['ana', 'luz'], published)
    expect(waits.list('index', { run: published })).toEqual(['luz'])
    expect(waits.list('index')).toEqual(['ana', 'luz'])
  })
})

async function* noItems(): AsyncGenerator<never> {}
