import { afterEach, beforeEach, expect, it } from 'vitest'
import { openSnapshot } from '../../../../src/builder/state/snapshot/open-snapshot.ts'
import type { Snapshot } from '../../../../src/builder/state/snapshot/snapshot.ts'
import type { SourceDocument } from '../../../../src/domain/documents/document.ts'
import { product, user } from '../../../support/rebuild/documents.ts'
import { takeSellers, takeWhole } from '../../../support/edge/items.ts'
import { useTemporaryFolder } from '../../../support/run/temporary.ts'
import { settleAll, takeSettled } from '../../../support/rebuild/settle-all.ts'

const path = useTemporaryFolder()
let snapshot: Snapshot

const DOCUMENTS: readonly SourceDocument[] = [
  user('ana', 'Ana', 'Núñez'),
  user('luz', 'Luz', ''),
  product('a1', 'ana'),
  product('a2', 'ana'),
  product('l1', 'luz'),
]

const without = (id: string): readonly SourceDocument[] => DOCUMENTS.filter((one) => one.id !== id)
const replace = (...changed: readonly SourceDocument[]): readonly SourceDocument[] => [
  ...DOCUMENTS.filter(({ id }) => changed.every((one) => one.id !== id)),
  ...changed,
]
const find = (seller = 'ana'): readonly string[] | null =>
  snapshot.findChangedProducts(seller)?.toSorted() ?? null

beforeEach(async () => {
  snapshot = openSnapshot(path('snapshot.sqlite'))
  snapshot.waits.beginRun()
  await takeSettled(snapshot, DOCUMENTS)
})
afterEach(() => snapshot.close())

it.each([
  ['changed', replace(product('a1', 'ana', { price: 5 })), ['a1']],
  ['was added', [...DOCUMENTS, product('a3', 'ana')], ['a3']],
  ['is gone', without('a2'), ['a2']],
])('names the product that %s', async (_, documents, expected) => {
  await takeSellers(snapshot, ['ana'], documents)
  expect(find()).toEqual(expected)
})

it('names a product that moved for both sellers', async () => {
  await takeSellers(snapshot, ['ana', 'luz'], replace(product('a1', 'luz')))
  expect([find('ana'), find('luz')]).toEqual([['a1'], ['a1']])
})

it.each([
  ['her profile changed', replace(user('ana', 'Ana', 'Paz'), product('a1', 'ana', { price: 5 }))],
  ['she is gone', DOCUMENTS.filter(({ id }) => !['ana', 'a1', 'a2'].includes(id))],
])('names no products where %s', async (_, documents) => {
  await takeSellers(snapshot, ['ana'], documents)
  expect(snapshot.waits.list()).toEqual(['ana'])
  expect(find()).toBeNull()
})

it('names no products of a new seller', async () => {
  await takeSellers(snapshot, ['eva'], [...DOCUMENTS, product('e1', 'eva')])
  expect(find('eva')).toBeNull()
})

it('names no products of a seller whose earlier change is not settled', async () => {
  await takeSellers(snapshot, ['ana'], replace(product('a1', 'ana', { price: 5 })))
  await takeSellers(
    snapshot,
    ['ana'],
    replace(product('a1', 'ana', { price: 5 }), product('a2', 'ana', { price: 6 })),
  )
  expect(find()).toBeNull()
})

it('names no products after a read of everything, a mark from elsewhere, or when it is opened again', async () => {
  const change = (price: number): Promise<unknown> =>
    takeSellers(snapshot, ['ana'], replace(product('a1', 'ana', { price })))
  await change(5)
  snapshot.waits.add(['ana'])
  expect(find()).toBeNull()
  await takeSettled(snapshot, DOCUMENTS)
  await takeWhole(snapshot, replace(product('a1', 'ana', { price: 6 })))
  expect(find()).toBeNull()
  await takeSettled(snapshot, DOCUMENTS)
  await change(7)
  snapshot.close()
  snapshot = openSnapshot(path('snapshot.sqlite'))
  expect(snapshot.waits.list()).toEqual(['ana'])
  expect(find()).toBeNull()
})

it('names no products of a read that was refused', async () => {
  const refuse = (): never => {
    throw new Error('refused')
  }
  const items = (async function* () {
    yield [{ kind: 'document', document: product('a1', 'ana', { price: 5 }) } as const]
  })()
  const read = { sellers: [], named: [], documents: [{ collection: 'cataloge', id: 'a1' }] as const, items }
  const refused = snapshot.applyPartial({ ...read, lookUp: () => [] }, refuse)
  await expect(refused).rejects.toThrow('refused')
  await takeSellers(snapshot, ['luz'], replace(product('l1', 'luz', { price: 5 })))
  expect([find('ana'), find('luz')]).toEqual([null, ['l1']])
})

it.each([
  ['at the bound', 101, 0],
  ['below it, if more may have gone', 100, 3],
])('names no products of a seller %s, of whom other products appear', async (_, most, gone) => {
  const many = Array.from({ length: 103 }, (_item, index) => product(`p${1000 + index}`, 'eva'))
  await takeWhole(snapshot, many)
  snapshot.limitProducts(most)
  settleAll(snapshot)
  const kept = many.slice(gone)
  await takeSellers(snapshot, ['eva'], [...kept.slice(1), product('p0', 'eva')])
  expect(find('eva')).toBeNull()
})

it('names products of a seller again after her change is settled', async () => {
  await takeSellers(snapshot, ['ana'], replace(product('a1', 'ana', { price: 5 })))
  snapshot.waits.settle(['ana'])
  await takeSellers(snapshot, ['ana'], replace(product('a1', 'ana', { price: 6 })))
  expect(find()).toEqual(['a1'])
})
