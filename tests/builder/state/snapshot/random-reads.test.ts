/** Any sequence of whole and partial reads ends with the same snapshot as one whole read of the last documents. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SourceDocument } from '../../../../src/domain/documents/document.ts'
import type { DocumentKey } from '../../../../src/builder/sources/source.ts'
import type { Snapshot, Totals } from '../../../../src/builder/state/snapshot/snapshot.ts'
import { product, user } from '../../../support/rebuild/documents.ts'
import { takeSellers, takeWhole } from '../../../support/edge/items.ts'
import { settleAll } from '../../../support/rebuild/settle-all.ts'
import { readContent, withSnapshot } from '../../../support/rebuild/snapshot-content.ts'

const SELLERS = ['a', 'b', 'c', 'd']

interface Changed {
  readonly sellers: readonly string[]
  readonly named: readonly DocumentKey[]
}

const READS = {
  whole: (snapshot: Snapshot, next: readonly SourceDocument[]) => takeWhole(snapshot, next),
  ofSellers: (snapshot: Snapshot, next: readonly SourceDocument[], { sellers }: Changed) =>
    takeSellers(snapshot, sellers, next),
  ofDocuments: (snapshot: Snapshot, next: readonly SourceDocument[], { named }: Changed) =>
    takeSellers(snapshot, [], next, named),
}

const seller = fc.constantFrom(...SELLERS)
const time = fc.constantFrom(null, '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z')
const profile = fc.record({ id: seller, name: fc.constantFrom('Ana', 'Eva', ''), updateTime: time })
const item = fc.record({
  updateTime: time,
  id: fc.constantFrom('1', '2', '3', '4', '5'),
  owner: seller,
  price: fc.constantFrom(1, 2, 'x'),
})

/** The content of a source: at most one document of each key. */
const documents = fc
  .record({
    profiles: fc.uniqueArray(profile, { selector: ({ id }) => id }),
    items: fc.uniqueArray(item, { selector: ({ id }) => id }),
  })
  .map(({ profiles, items }) => [
    ...profiles.map(({ id, name, updateTime }) => ({ ...user(id, name), updateTime })),
    ...items.map(({ id, owner, price, updateTime }) => ({ ...product(id, owner, { price }), updateTime })),
  ])

/** Returns the sellers whose documents differ, as the change log of a source names them. */
function findChanged(before: readonly SourceDocument[], after: readonly SourceDocument[]) {
  const differing = [...before, ...after].filter(
    (one) =>
      ![before, after].every((list) => list.some((other) => JSON.stringify(other) === JSON.stringify(one))),
  )
  const sellers = differing.map(({ id, data }) => (data as { owner?: { id: string } }).owner?.id ?? id)
  return {
    sellers: [...new Set(sellers)],
    documents: differing.map(({ collection, id }) => ({ collection, id })),
  }
}

function listKeys(held: readonly SourceDocument[]): ReadonlySet<string> {
  return new Set(
    held.flatMap(({ collection, id, data }) => [
      `${collection}/${id}`,
      `seller/${(data as { owner?: { id: string } }).owner?.id ?? id}`,
    ]),
  )
}

/** Counts sellers, profiles and products. */
function count(keys: Iterable<string>): Totals {
  const all = [...keys]
  const countOf = (kind: string): number => all.filter((key) => key.startsWith(`${kind}/`)).length
  return { sellers: countOf('seller'), profiles: countOf('users'), products: countOf('cataloge') }
}

test('partial reads and whole reads give the same snapshot, mark who differs, and count what is gone', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(documents, fc.constantFrom(...Object.values(READS))), { minLength: 1, maxLength: 6 }),
      async (steps) => {
        const [stepwise, marked] = await withSnapshot(':memory:', async (snapshot) => {
          let held: readonly SourceDocument[] = []
          const wrong: string[] = []
          snapshot.waits.beginRun()
          for (const [next, read] of steps) {
            const before = new Map(SELLERS.map((id) => [id, JSON.stringify(snapshot.readCatalogue(id))]))
            settleAll(snapshot)
            const { sellers, documents: named } = findChanged(held, next)
            const change = await read(snapshot, next, { sellers, named })
            const [keysBefore, keysAfter] = [listKeys(held), listKeys(next)]
            expect(change).toMatchObject({
              before: count(keysBefore),
              gone: count([...keysBefore].filter((key) => !keysAfter.has(key))),
              after: count(keysAfter),
            })
            held = next
            const { waits } = snapshot
            const differs = SELLERS.filter(
              (id) => JSON.stringify(snapshot.readCatalogue(id)) !== before.get(id),
            )
            const marks = waits.list()
            if (!waits.isCompared()) wrong.push(...differs.filter((id) => !marks.includes(id)))
            wrong.push(...marks.filter((id) => !sellers.includes(id)))
          }
          return [readContent(snapshot), wrong]
        })
        const last = steps.at(-1)?.[0] ?? []
        const whole = await withSnapshot(':memory:', async (snapshot) => {
          await takeWhole(snapshot, last)
          return readContent(snapshot)
        })
        expect(stepwise).toEqual(whole)
        expect(marked).toEqual([])
      },
    ),
    { numRuns: 150 },
  )
})
