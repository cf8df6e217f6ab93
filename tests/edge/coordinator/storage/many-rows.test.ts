/**
 * Steps that concern very many sellers: no statement returns more rows than fit into the memory of a Durable Object,
 * and no push reads rows in proportion to the sellers.
 */
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, expect, it } from 'vitest'
import { CoordinatorTwin } from '../../../../scripts/prove/coordinator/coordinator-twin.ts'
import { openSql } from '../../../../scripts/local/open-sql.ts'
import type { ObjectCounts } from '../../../../src/edge/coordinator/object-ledger.ts'
import type { SqlValue } from '../../../../src/edge/coordinator/storage/sql.ts'
import { openLocalLedger } from '../../../../src/edge/coordinator/storage/local-ledger.ts'

const HOUR = 60 * 60_000
const NAMES = Array.from({ length: 1_300 }, (_, index) => `seller-${index}`)
/** Max rows of a statement that returns whole rows, and not only names. */
const MOST = 1_000

let twin: CoordinatorTwin
/** The largest number of whole rows that a statement has returned. */
let most: number
/** The statements of the last step, with their values. */
let statements: (readonly [query: string, bindings: readonly SqlValue[]])[]

class WatchedTwin extends CoordinatorTwin {
  constructor() {
    const database = new DatabaseSync(':memory:')
    super({}, { database })
    this.calls = this.#watch(database)
  }

  #watch(database: DatabaseSync): CoordinatorTwin['calls'] {
    const sql = openSql(database)
    const exec: typeof sql.exec = (query, ...bindings) => {
      const rows = sql.exec(query, ...bindings).toArray()
      statements.push([query, bindings])
      if (Object.keys(rows[0] ?? {}).length > 3) most = Math.max(most, rows.length)
      return { toArray: () => rows }
    }
    return openLocalLedger({ sql: { exec }, now: this.now, transact: (work) => work(this) })
  }
}

const count = (name: string, products: number): ObjectCounts => ({
  name,
  isGone: products === 0,
  hasProfile: products > 0,
  products,
})

async function settle(products: number, version: number): Promise<void> {
  const objects = NAMES.map((name) => ({ ...count(name, products), version, updated: '' }))
  await twin.calls.settle(objects, 'put')
}

/** The guard holds the removals of all sellers. */
async function holdAll(): Promise<void> {
  const objects = NAMES.map((name) => count(name, 0))
  const { refused } = await twin.calls.permit({ objects, isShrinkAllowed: false })
  expect(refused).toHaveLength(NAMES.length)
}

beforeEach(async () => {
  most = 0
  statements = []
  twin = new WatchedTwin()
  await settle(20, 1)
})

it('a person permits the removals of very many sellers', async () => {
  await holdAll()
  most = 0
  await twin.calls.permit({ objects: [], isShrinkAllowed: true })
  expect(most).toBeLessThanOrEqual(MOST)
  expect(twin.standing).toMatchObject({ hold: null, refusals: 0 })
  const objects = NAMES.map((name) => count(name, 0))
  expect((await twin.calls.permit({ objects, isShrinkAllowed: false })).refused).toEqual([])
})

it('each push of a builder that may remove reads only what was refused or lost', async () => {
  const push = async (): Promise<void> => {
    statements = []
    const permission = await twin.calls.permit({ objects: [count('seller-0', 0)], isShrinkAllowed: true })
    expect(permission.refused).toEqual([])
  }
  await holdAll()
  await push()
  await push()
  expect(statements.length).toBeLessThan(20)
  const plans = statements.flatMap(([query, bindings]) =>
    twin.database.prepare(`EXPLAIN QUERY PLAN ${query}`).all(...bindings),
  )
  const steps = plans.map(({ detail }) => String(detail))
  expect(steps.filter((step) => step.startsWith('SCAN') && step !== 'SCAN standing')).toEqual([])
  expect(steps.join()).toMatch(/objects_lost.*objects_refused/)
})

it('the losses of very many objects end after an hour', async () => {
  await twin.calls.permit({ objects: NAMES.map((name) => count(name, 19)), isShrinkAllowed: false })
  await settle(19, 2)
  expect(twin.standing.lost.products).toBe(NAMES.length)
  twin.now += HOUR
  most = 0
  await twin.calls.permit({ objects: [count('seller-0', 18)], isShrinkAllowed: false })
  expect(most).toBeLessThanOrEqual(MOST)
  expect(twin.standing.lost.products).toBe(1)
})
