/** Removals of one seller that are held back: her entries stay as they were, and all other changes are applied. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSnapshot } from '../../../../src/builder/state/snapshot/open-snapshot.ts'
import type { HoldRule, Loss, Snapshot } from '../../../../src/builder/state/snapshot/snapshot.ts'
import type { SourceDocument } from '../../../../src/domain/documents/document.ts'
import { product, user } from '../../../support/rebuild/documents.ts'
import { settleAll } from '../../../support/rebuild/settle-all.ts'
import { takeSellers, takeWhole } from '../../../support/edge/items.ts'

const NOW = 1_000
const ANAS = Array.from({ length: 5 }, (_, index) => product(`a${index}`, 'ana'))
const LUZ = [user('luz'), product('l1', 'luz'), product('l2', 'luz')]
const ALL = [user('ana'), ...ANAS, ...LUZ]
const NEW_PRICE = product('l1', 'luz', { price: 7 })
const WITHOUT_ANAS = [user('ana'), user('luz'), NEW_PRICE, product('l2', 'luz')]

let snapshot: Snapshot
let losses: Loss[] = []

beforeEach(async () => {
  losses = []
  snapshot = openSnapshot(':memory:')
  snapshot.waits.beginRun()
  await takeWhole(snapshot, ALL)
  settleAll(snapshot)
})
afterEach(() => snapshot.close())

function hold(rule: Partial<HoldRule> = {}): HoldRule {
  const isHeld = (all: Loss, readLargest: () => Loss): boolean => {
    if (all.gone.products + all.pricesGone < 5) return false
    losses.push(all, readLargest())
    return true
  }
  return { now: NOW, released: 0, isHeld, ...rule }
}

const READS: readonly [
  string,
  (documents: readonly SourceDocument[], rule?: HoldRule) => Promise<unknown>,
][] = [
  ['a whole read', (documents, rule) => takeWhole(snapshot, documents, undefined, rule)],
  ['a read of sellers', (documents, rule) => takeSellers(snapshot, ['ana', 'luz'], documents, [], rule)],
]

const listPrices = (seller: string) => snapshot.readCatalogue(seller)?.products.map(({ price }) => price)

describe.each(READS)('in %s', (_, read) => {
  it('products that are gone stay, and the changes of others are applied', async () => {
    await read(WITHOUT_ANAS, hold())
    expect(snapshot.countProducts('ana')).toBe(5)
    expect(listPrices('luz')).toEqual(expect.arrayContaining([7]))
    expect(snapshot.waits.list()).toEqual(['luz'])
    expect(snapshot.readHeld()).toEqual([{ seller: 'ana', profiles: 0, products: 5, since: NOW }])
  })

  it('the rule is asked with what all lose, and what she does', async () => {
    await read([user('ana'), LUZ[0] ?? user('luz'), NEW_PRICE], hold())
    expect(losses).toMatchObject([
      { before: { profiles: 2, products: 7 }, gone: { profiles: 0, products: 6 }, pricesGone: 0 },
      { before: { profiles: 1, products: 5 }, gone: { profiles: 0, products: 5 }, pricesGone: 0 },
    ])
    expect(snapshot.countProducts('luz')).toBe(1)
  })

  it('products keep the price that they lost', async () => {
    const priceless = ANAS.map(({ id }) => product(id, 'ana', { price: undefined, name: 'Otro' }))
    const documents = [user('ana'), ...priceless, ...WITHOUT_ANAS.slice(1)]
    await read(documents, hold())
    await read(documents, hold())
    expect(listPrices('ana')).toEqual(ANAS.map(() => 1300))
    expect(snapshot.readHeld()).toEqual([{ seller: 'ana', profiles: 0, products: 5, since: NOW }])
    await read(documents, hold({ released: NOW }))
    expect(listPrices('ana')).toEqual(ANAS.map(() => null))
    expect(snapshot.readHeld()).toEqual([])
  })

  it('a product that another seller has now is shown there, also if it lost its price', async () => {
    const moved = product('a0', 'luz', { price: undefined })
    await read(
      [...WITHOUT_ANAS, product('l3', 'luz'), moved],
      hold({ isHeld: ({ gone }) => gone.products > 0 }),
    )
    expect(listPrices('luz')).toContain(null)
    expect(snapshot.readHeld()).toEqual([{ seller: 'ana', profiles: 0, products: 4, since: NOW }])
  })

  it('what is held back is no loss in later reads, and its time does not begin again', async () => {
    await read(WITHOUT_ANAS, hold())
    losses = []
    await read(WITHOUT_ANAS, hold({ now: NOW + 1 }))
    expect(losses).toEqual([])
    expect(snapshot.readHeld()).toEqual([{ seller: 'ana', profiles: 0, products: 5, since: NOW }])
    expect(snapshot.countProducts('ana')).toBe(5)
  })

  it('what comes back is no longer held back', async () => {
    await read(WITHOUT_ANAS, hold())
    await read([...WITHOUT_ANAS, product('a1', 'ana', { price: 9 })], hold())
    expect(snapshot.readHeld()).toEqual([{ seller: 'ana', profiles: 0, products: 4, since: NOW }])
    expect(listPrices('ana')).toContain(9)
    await read([user('ana'), ...LUZ, product('a1', 'ana', { price: 9 })], hold())
    expect(snapshot.countProducts('ana')).toBe(5)
    await read([user('ana'), ...LUZ], hold())
    expect(snapshot.countProducts('ana')).toBe(4)
  })

  it('what was released goes, without being counted as a loss', async () => {
    await read(WITHOUT_ANAS, hold())
    losses = []
    expect(snapshot.findReleased(NOW - 1)).toEqual([])
    expect(snapshot.findReleased(NOW)).toHaveLength(5)
    await read(WITHOUT_ANAS, hold({ released: NOW }))
    expect(losses).toEqual([])
    expect(snapshot.countProducts('ana')).toBe(0)
    expect(snapshot.readHeld()).toEqual([])
    expect(snapshot.waits.list()).toEqual(['ana', 'luz'])
  })
})

it('a refused read holds nothing back', async () => {
  const refuse = (): never => {
    throw new Error('refused')
  }
  await expect(takeWhole(snapshot, WITHOUT_ANAS, refuse, hold())).rejects.toThrow('refused')
  expect(snapshot.readHeld()).toEqual([])
})
