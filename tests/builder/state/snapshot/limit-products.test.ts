/** The bound of products of a seller: which of them reads return, and whom another bound concerns. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openSnapshot } from '../../../../src/builder/state/snapshot/open-snapshot.ts'
import type { Snapshot } from '../../../../src/builder/state/snapshot/snapshot.ts'
import { LEAST_MAX_PRODUCTS, limitProducts } from '../../../../src/domain/catalogue/product-limit.ts'
import { product, user } from '../../../support/rebuild/documents.ts'
import { takeWhole } from '../../../support/edge/items.ts'
import { settleAll } from '../../../support/rebuild/settle-all.ts'

/** Ids whose order as text of SQLite is not that of JavaScript. */
const ODD = ['\u{1f600}', '\ufe73', 'é', 'z']
const MANY = LEAST_MAX_PRODUCTS + 50

const ids = [...Array.from({ length: MANY - ODD.length }, (_, index) => `p${index}`), ...ODD]

let snapshot: Snapshot
beforeEach(async () => {
  snapshot = openSnapshot(':memory:')
  snapshot.waits.beginRun()
  await takeWhole(snapshot, [
    user('bad', 'Mala', ''),
    ...ids.map((id) => product(id, 'bad')),
    user('ana'),
    product('a1', 'ana'),
  ])
  settleAll(snapshot)
})
afterEach(() => snapshot.close())

const readShown = (): readonly string[] =>
  (snapshot.readCatalogue('bad')?.products ?? []).map(({ id }) => id).sort()

it('is far above what sellers have, unless it is set', () => {
  expect(snapshot.countProducts('bad')).toBe(MANY)
  expect(readShown()).toEqual(ids.toSorted())
  expect(snapshot.readProblems()).toEqual([])
})

it.each([LEAST_MAX_PRODUCTS, MANY - 2])(
  'of %i keeps the first by id, as the rule of both hosts says',
  (most) => {
    snapshot.limitProducts(most)
    const all = ids.map((id) => ({ id }))
    const expected = limitProducts(all, most).map(({ id }) => id)
    expect(expected).toHaveLength(most)
    expect(readShown()).toEqual(expected.toSorted())
    expect([...snapshot.readProductIds('bad')].sort()).toEqual(expected.toSorted())
    expect(snapshot.countProducts('bad')).toBe(most)
    expect(snapshot.readCatalogue('bad')?.name).toBe('Mala')
    expect(snapshot.readCatalogue('ana')?.products).toHaveLength(1)
  },
)

it('is reported by seller, with the numbers', () => {
  snapshot.limitProducts(LEAST_MAX_PRODUCTS)
  const reason =
    'has 150 products, of which only the first 100 by id are shown: raise MAX_PRODUCTS to show more'
  expect(snapshot.readProblems()).toEqual([
    { collection: 'users', id: 'bad', field: '', reason, fatal: false },
  ])
})

it('changes only the sellers whom another bound concerns', () => {
  const listChanged = (most: number): readonly string[] => {
    snapshot.limitProducts(most)
    const changed = snapshot.waits.list()
    snapshot.waits.settle(changed)
    return changed
  }
  expect(listChanged(MANY)).toEqual([])
  expect(listChanged(MANY - 1)).toEqual(['bad'])
  expect(listChanged(MANY - 1)).toEqual([])
  expect(listChanged(LEAST_MAX_PRODUCTS)).toEqual(['bad'])
  expect(listChanged(5_000)).toEqual(['bad'])
})

it('is kept with the snapshot', async () => {
  snapshot.limitProducts(LEAST_MAX_PRODUCTS)
  await takeWhole(
    snapshot,
    ids.map((id) => product(id, 'bad', { price: 1 })),
  )
  expect(readShown()).toHaveLength(LEAST_MAX_PRODUCTS)
})
