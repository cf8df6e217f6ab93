/** What the state holds after a read took the place of an earlier one. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SourceItem } from '../../../src/builder/sources/source.ts'
import type { AppliedRead } from '../../../src/builder/state/apply-read.ts'
import type { SiteState } from '../../../src/builder/state/site-state.ts'
import { openState } from '../../../src/builder/state/site-state.ts'
import type { SourceDocument } from '../../../src/domain/documents/document.ts'
import { product, user, withTime } from '../../support/rebuild/documents.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'

const path = useTemporaryFolder()
let state: SiteState
beforeEach(() => void (state = openState(path('state.sqlite'))))
afterEach(() => state.close())

const DOCUMENTS = [user('ana'), product('a1', 'ana'), product('a2', 'ana'), user('eva'), product('e1', 'eva')]

const toItem = (document: SourceDocument): SourceItem => ({ kind: 'document', document })
const toUnreadable = (id: string, isNamed = true): SourceItem => ({
  kind: 'unreadable',
  key: isNamed ? { collection: 'cataloge', id } : null,
  problem: { collection: 'cataloge', id, field: '', reason: 'is torn', fatal: true },
})

/** With `null`, the read is of the whole source. */
async function apply(
  items: readonly (SourceDocument | SourceItem)[],
  sellers: readonly string[] | null = null,
): Promise<AppliedRead> {
  state.begin()
  const all = items.map((one) => ('kind' in one ? one : toItem(one)))
  const options = { isExplained: true, progress: () => {} }
  const applied = await state.applyRead({ sellers, cursor: null, items: all }, options)
  state.commit()
  return applied
}

const listProducts = (seller: string): readonly string[] | undefined =>
  state.readCatalogue(seller, 10)?.products.map(({ id }) => id)
const listProblems = (): readonly string[] =>
  state.readProblems(10).map(({ id, reason }) => `${id} ${reason}`)

describe('a read of everything', () => {
  it('finds who differs, by values and times, and not by the order of keys', async () => {
    expect((await apply(DOCUMENTS)).changed.toSorted()).toEqual(['ana', 'eva'])
    expect(await apply(DOCUMENTS.toReversed())).toMatchObject({ reads: 5, changed: [], differences: [] })
    const timed = DOCUMENTS.map((one) => (one.id === 'e1' ? withTime(one, '2026-01-01T00:00:00Z') : one))
    expect(await apply(timed)).toMatchObject({ changed: ['eva'] })
    const cheaper = timed.map((one) => (one.id === 'a1' ? product('a1', 'ana', { price: 5 }) : one))
    const { changed, differences } = await apply(cheaper)
    expect(changed).toEqual(['ana'])
    expect(differences).toMatchObject([{ collection: 'cataloge', id: 'a1', after: { seller: 'ana' } }])
  })

  it('removes sellers and products that it lacks, and counts', async () => {
    await apply(DOCUMENTS)
    const applied = await apply([user('ana'), product('a2', 'ana'), user('luz')])
    expect(applied).toMatchObject({
      before: { sellers: 2, products: 3 },
      after: { sellers: 2, products: 1 },
      loss: { sellers: 0, products: 1 },
    })
    expect(applied.changed.toSorted()).toEqual(['ana', 'eva', 'luz'])
    expect(state.readTotals()).toEqual({ sellers: 2, products: 1 })
    expect([state.hasSeller('eva'), listProducts('ana')]).toEqual([false, ['a2']])
  })

  it('takes the last occurrence of a document, and says so', async () => {
    await apply([...DOCUMENTS, product('a1', 'eva', { name: 'Otro' })])
    expect([listProducts('ana'), listProducts('eva')]).toEqual([['a2'], ['a1', 'e1']])
    expect(listProblems()).toEqual(['a1 occurs more than once: only the last occurrence is used'])
    await apply([...DOCUMENTS, toUnreadable('a1')])
    expect(listProducts('ana')).toEqual(['a2'])
    expect(listProblems()).toEqual(['a1 is torn'])
  })

  it('leaves out documents that are not valid, and forgets earlier problems', async () => {
    await apply([...DOCUMENTS, product('odd', 'ana', { name: 5 }), toUnreadable('line 7', false)])
    expect(listProducts('ana')).toEqual(['a1', 'a2'])
    expect(listProblems()).toHaveLength(2)
    await apply(DOCUMENTS)
    expect(listProblems()).toEqual([])
  })
})

describe('a read of named sellers', () => {
  it('replaces all that they have, and nothing of others', async () => {
    await apply(DOCUMENTS)
    expect(await apply([product('a3', 'ana')], ['ana', 'nobody'])).toMatchObject({
      changed: ['ana'],
      after: { sellers: 2, products: 2 },
    })
    expect([listProducts('ana'), listProducts('eva')]).toEqual([['a3'], ['e1']])
    await apply([], ['ana'])
    expect([state.hasSeller('ana'), listProducts('eva')]).toEqual([false, ['e1']])
  })

  it('takes a product from its earlier owner, who counts as changed', async () => {
    await apply(DOCUMENTS)
    const { changed, after } = await apply([user('eva'), product('e1', 'eva'), product('a1', 'eva')], ['eva'])
    expect([changed.toSorted(), after]).toEqual([['ana', 'eva'], { sellers: 2, products: 3 }])
    expect([listProducts('ana'), listProducts('eva')]).toEqual([['a2'], ['a1', 'e1']])
  })

  it('forgets the problems of these sellers only', async () => {
    const odd = [product('odd-a', 'ana', { name: 5 }), product('odd-e', 'eva', { name: 5 })]
    await apply([...DOCUMENTS, ...odd])
    await apply([user('ana'), product('a1', 'ana')], ['ana'])
    expect(state.readProblems(10).map(({ id }) => id)).toEqual(['odd-e'])
  })
})

it('A read that fails leaves the state as it was', async () => {
  await apply(DOCUMENTS)
  const failing = async function* (): AsyncGenerator<SourceItem> {
    yield toItem(product('a1', 'eva'))
    throw new Error('the source broke')
  }
  state.begin()
  const read = { sellers: null, cursor: null, items: failing() }
  await expect(state.applyRead(read, { isExplained: false, progress: () => {} })).rejects.toThrow('broke')
  state.rollBack()
  expect([state.readTotals(), listProducts('ana')]).toEqual([{ sellers: 2, products: 3 }, ['a1', 'a2']])
})

it('Of a seller with more products than are shown, the first by id are shown, and it is said', async () => {
  await apply(DOCUMENTS)
  expect(state.readCatalogue('ana', 1)?.products.map(({ id }) => id)).toEqual(['a1'])
  expect(state.readProblems(1)).toMatchObject([{ collection: 'users', id: 'ana' }])
  expect(state.readLargest()).toBe(2)
})
