/** The rows of sellers who wait: when they are written, when they go, and which stay with their failures. */
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

describe('a seller', () => {
  it('is not listed after a first read, which makes a comparison due instead', async () => {
    const other = openSnapshot(':memory:')
    other.waits.beginRun()
    settleAll(other)
    await takeWhole(other, DOCUMENTS)
    expect([other.waits.list(), other.waits.isCompared()]).toEqual([[], true])
    other.close()
  })

  it('who is named waits without a difference', async () => {
    const read = { sellers: [], documents: [], named: ['luz'], items: noItems(), lookUp: () => [] }
    await snapshot.applyPartial(read, () => ({ source: '', intake: '', cursor: null }))
    expect(waits.list()).toEqual(['luz'])
  })

  it('whose read is refused does not wait', async () => {
    const read = { sellers: [], documents: [], named: ['luz'], items: noItems(), lookUp: () => [] }
    const refuse = (): never => {
      throw new Error('refused')
    }
    await expect(snapshot.applyPartial(read, refuse)).rejects.toThrow('refused')
    expect(waits.list()).toEqual([])
  })

  it('whose pictures changed waits from the moment that the position moves', () => {
    const position = { identity: 'store', sequence: 7 }
    snapshot.applyPictures(['luz'], position)
    expect([waits.list(), snapshot.readPictures()]).toEqual([['luz'], position])
  })

  it('keeps since when she waits', async () => {
    await changePrice(5)
    waits.postpone([{ seller: 'ana', reason: 'throws' }])
    const first = waits.readFailed()
    waits.beginRun()
    await changePrice(6)
    expect(waits.readFailed()).toEqual(first)
    expect(waits.list()).toEqual(['ana'])
  })

  it('who failed comes after all others, also with new data', async () => {
    waits.postpone([{ seller: 'ana', reason: 'too large' }])
    waits.add(['luz', 'mar'])
    await changePrice(5)
    expect(waits.list()).toEqual(['luz', 'mar', 'ana'])
  })

  it('who failed stays with reason and tries, also after new data', async () => {
    await changePrice(5)
    for (const reason of ['too large', 'still too large']) waits.postpone([{ seller: 'ana', reason }])
    const late = { seller: 'ana', tries: 2, reason: 'still too large' }
    expect(waits.readFailed()).toMatchObject([late])
    await changePrice(6)
    expect(waits.list()).toEqual(['ana'])
    expect(waits.readFailed()).toMatchObject([late])
  })

  it('who failed without a change waits from then on', () => {
    waits.postpone([{ seller: 'luz', reason: 'throws' }])
    expect(waits.readFailed()).toMatchObject([{ seller: 'luz', tries: 1, reason: 'throws' }])
  })
})

async function* noItems(): AsyncGenerator<never> {}
