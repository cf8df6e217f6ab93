/** Documents that contradict one another, or what was read before. */
import { expect, it } from 'vitest'
import { openSnapshot } from '../../../../src/builder/state/snapshot/open-snapshot.ts'
import { product, user } from '../../../support/rebuild/documents.ts'
import { takeSellers, takeWhole } from '../../../support/edge/items.ts'

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
