/** A change of many products of one seller reads each of them a few times, not once for each other one. */
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, expect, it } from 'vitest'
import { createApply } from '../../../../src/builder/state/snapshot/apply-documents.ts'
import { createChangedProducts } from '../../../../src/builder/state/snapshot/changed-products.ts'
import { createHeldReads } from '../../../../src/builder/state/snapshot/held-removals.ts'
import { createProductLimit } from '../../../../src/builder/state/snapshot/limit-products.ts'
import { createReads } from '../../../../src/builder/state/snapshot/snapshot-reads.ts'
import { SNAPSHOT_SCHEMA } from '../../../../src/builder/state/snapshot/snapshot-schema.ts'
import { createWaits } from '../../../../src/builder/state/snapshot/waits.ts'
import type { Snapshot } from '../../../../src/builder/state/snapshot/snapshot.ts'
import type { SourceDocument } from '../../../../src/domain/documents/document.ts'
import { product, withTime } from '../../../support/rebuild/documents.ts'
import { takeSellers, takeWhole } from '../../../support/edge/items.ts'

const MANY = 400
const TIME = '2026-01-01T00:00:00.000Z'
const LATER = '2026-02-02T00:00:00.000Z'

let compared = 0
let snapshot: Snapshot

beforeEach(() => {
  compared = 0
  const database = new DatabaseSync(':memory:')
  database.function('sitemap_bucket', (seller) => Number(seller === ''))
  // Counts the rows in which a newest time is looked for.
  database.aggregate('max', {
    start: '',
    step: (newest, time) => {
      compared += 1
      return String(time) > String(newest) ? String(time) : String(newest)
    },
  })
  database.exec(SNAPSHOT_SCHEMA)
  const limit = createProductLimit(database)
  const products = createChangedProducts(database, limit)
  snapshot = {
    ...createApply(database, products),
    ...createReads(database, { limit, products }),
    ...createHeldReads(database),
    waits: createWaits(database, () => {}),
    applyPictures: () => expect.fail('there are no pictures'),
    logDifferences: () => expect.fail('nothing is logged'),
  }
})

function createProducts(count: number, price: number, time: string): readonly SourceDocument[] {
  return Array.from({ length: count }, (_, index) => withTime(product(`p${index}`, 'ana', { price }), time))
}

it.each<[string, readonly SourceDocument[], string]>([
  ['change', createProducts(MANY, 200, LATER), LATER],
  ['go, but for some', createProducts(MANY / 4, 100, TIME), TIME],
])('when all her products %s, the newest time is looked up once', async (_, documents, updated) => {
  await takeWhole(snapshot, createProducts(MANY, 100, TIME))
  compared = 0
  await takeSellers(snapshot, ['ana'], documents)
  expect(snapshot.readBucket(0)).toEqual([{ seller: 'ana', updated }])
  expect(snapshot.countProducts('ana')).toBe(documents.length)
  expect(compared).toBeLessThanOrEqual(MANY)
})
