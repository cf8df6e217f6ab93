/** Documents that contradict one another, or what was read before. */
import { expect, it } from 'vitest'
import { openSnapshot } from '../../../../src/builder/state/snapshot/open-snapshot.ts'
import { product, user, withTime } from '../../../support/documents.ts'
import { takeSellers, takeWhole } from '../../../support/items.ts'

it('the newest of two documents counts, however its time is written', async () => {
  const pairs = [
    ['2026-01-01T00:00:01Z', '2026-01-01T00:00:01.5Z'],
    ['2026-01-01T10:00:00+05:00', '2026-01-01T06:00:00Z'],
  ] as const
  for (const [old, young] of pairs) {
    const snapshot = openSnapshot(':memory:')
    await takeWhole(snapshot, [
      withTime(product('p', 'ana', { price: 1 }), old),
      withTime(product('p', 'ana', { price: 2 }), young),
    ])
    expect(snapshot.readCatalogue('ana')?.products.map(({ price }) => price)).toEqual([2])
    snapshot.close()
  }
})

it('a problem that was mended hides no product that moves afterwards, and is not reported any more', async () => {
  const snapshot = openSnapshot(':memory:')
  const base = [user('ana'), user('luz')]
  await takeWhole(snapshot, [...base, product('x', 'ana', { owner: 5 })])
  await takeSellers(snapshot, ['ana'], [...base, product('x', 'ana')])
  const problems = snapshot.readProblems()
  await takeSellers(snapshot, ['ana'], [...base, product('x', 'luz')])
  expect(snapshot.readCatalogue('luz')?.products.map(({ id }) => id)).toEqual(['x'])
  expect(problems).toEqual([])
})
