/** Any sequence of whole and partial reads ends with the same snapshot as one whole read of the last documents. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SourceDocument } from '../../../../src/domain/documents/document.ts'
import { openSnapshot } from '../../../../src/builder/state/snapshot/open-snapshot.ts'
import type { Snapshot } from '../../../../src/builder/state/snapshot/snapshot.ts'
import { product, user } from '../../../support/rebuild/documents.ts'
import { takeSellers, takeWhole } from '../../../support/edge/items.ts'
import { settleAll } from '../../../support/rebuild/settle-all.ts'

const SELLERS = ['a', 'b', 'c', 'd']

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

function read(snapshot: Snapshot) {
  const sellers = [...snapshot.readSellers()]
  return {
    catalogues: sellers.map((id) => snapshot.readCatalogue(id)),
    listed: snapshot.readBuckets().map((bucket) => snapshot.readBucket(bucket)),
    totals: snapshot.readTotals(),
    problems: snapshot.readProblems(),
  }
}

async function withSnapshot<T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const snapshot = openSnapshot(':memory:')
  try {
    return await work(snapshot)
  } finally {
    snapshot.close()
  }
}

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

test('partial reads and whole reads give the same snapshot', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(documents, fc.boolean()), { minLength: 1, maxLength: 6 }),
      async (steps) => {
        const [stepwise, marked] = await withSnapshot(async (snapshot) => {
          let held: readonly SourceDocument[] = []
          const wrong: string[] = []
          snapshot.waits.beginRun('files')
          for (const [next, isWhole] of steps) {
            const before = new Map(SELLERS.map((id) => [id, JSON.stringify(snapshot.readCatalogue(id))]))
            settleAll(snapshot)
            const { sellers, documents: named } = findChanged(held, next)
            await (isWhole ? takeWhole(snapshot, next) : takeSellers(snapshot, sellers, next, named))
            held = next
            const { waits } = snapshot
            const marks = waits.isCompared('files') ? SELLERS : waits.list('files')
            const differs = SELLERS.filter(
              (id) => JSON.stringify(snapshot.readCatalogue(id)) !== before.get(id),
            )
            wrong.push(...differs.filter((id) => !marks.includes(id)))
          }
          return [read(snapshot), wrong]
        })
        const last = steps.at(-1)?.[0] ?? []
        const whole = await withSnapshot(async (snapshot) => {
          await takeWhole(snapshot, last)
          return read(snapshot)
        })
        expect(stepwise).toEqual(whole)
        expect(marked).toEqual([])
      },
    ),
    { numRuns: 150 },
  )
})
