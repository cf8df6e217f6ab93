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
    super({}, { isQueue: true, database })
    this.calls = this.#watch(database)
  }

  override restart(isQueue: boolean): void {
    this.calls = this.#watch(this.database)
    this.calls.open(isQueue)
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

/** Notices all sellers. The guard holds their removals. */
async function holdAll(): Promise<void> {
  twin.notify(...NAMES)
  const objects = NAMES.map((name) => count(name, 0))
  const { refused } = await twin.calls.permit({ objects, isShrinkAllowed: false })
  expect(refused).toHaveLength(NAMES.length)
  const outcome = { kind: 'held', reason: 'too much' } as const
  while (twin.standing.held < NAMES.length)
    await twin.calls.settleChanges(twin.sendAtAlarm().map((message) => ({ ...message, outcome })))
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
  expect(twin.standing).toMatchObject({ hold: null, refusals: 0, held: NAMES.length })
  const objects = NAMES.map((name) => count(name, 0))
  expect((await twin.calls.permit({ objects, isShrinkAllowed: false })).refused).toEqual([])
  expect(twin.listOpen().every(({ at }) => at <= twin.now)).toBe(true)
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

it('a full read is reported while very many changes wait', async () => {
  await holdAll()
  twin.notifyFull()
  twin.now += HOUR
  most = 0
  twin.build(null, ['seller-7'])
  expect(most).toBeLessThanOrEqual(MOST)
  expect(twin.listOpen().map(({ seller }) => seller)).toEqual(['seller-7'])
})

it('changes of very many sellers move to a builder, and back', async () => {
  await holdAll()
  most = 0
  twin.restart(false)
  expect(twin.standing).toMatchObject({ waiting: 0, pending: NAMES.length })
  twin.restart(true)
  expect(twin.standing).toMatchObject({ waiting: NAMES.length, pending: 0 })
  expect(most).toBeLessThanOrEqual(MOST)
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

it('very many sellers who do not exist are forgotten after a day, some at each alarm', async () => {
  twin.notify(...NAMES.map((name) => `no-${name}`))
  twin.now += HOUR
  while (twin.standing.waiting > 0) {
    const messages = twin.send()
    await twin.calls.settleChanges(messages.map((message) => ({ ...message, outcome: { kind: 'absent' } })))
  }
  twin.now += 24 * HOUR
  most = 0
  for (let alarms = 0; twin.changeTime !== null && alarms < 10; alarms += 1) twin.send()
  expect(most).toBeLessThanOrEqual(MOST)
  expect(twin.listChanged()).toEqual([])
})
