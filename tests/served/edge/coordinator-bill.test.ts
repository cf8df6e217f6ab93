/** The rows that docs/operate.md names are those that the coordinator writes on the real runtime, where rows are billed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readPage, readTable } from '../../support/run/documentation.ts'
import { ROOT } from '../../support/rebuild/rebuild.ts'
import type { WorkerRuntime } from '../../support/edge/worker-runtime.ts'
import { startRuntime } from '../../support/edge/worker-runtime.ts'

/** Counts the rows and index entries that are written, and each alarm that is set or deleted as one. */
const WORKER = `
import { SiteCoordinator } from '${join(ROOT, 'src/edge/coordinator/site-coordinator.ts')}'
let [written, ahead] = [0, 0]
let arrive = () => {}
const arrival = () => new Promise((resolve) => { arrive = resolve })
let arrived = arrival()
const CHANGES = { sendBatch: async (messages) => arrive(messages.map(({ body }) => body)) }
export class Counted extends SiteCoordinator {
  constructor(ctx, environment) {
    const { storage } = ctx
    const exec = storage.sql.exec.bind(storage.sql)
    storage.sql.exec = (query, ...bindings) => {
      const cursor = exec(query, ...bindings)
      const rows = cursor.toArray()
      written += cursor.rowsWritten
      return { toArray: () => rows }
    }
    for (const name of ['setAlarm', 'deleteAlarm']) {
      const set = storage[name].bind(storage)
      storage[name] = (...time) => {
        written += 1
        return set(...time)
      }
    }
    super(ctx, environment.DISPATCH === 'queue' ? { ...environment, CHANGES } : environment)
  }
  now() {
    return super.now() + ahead
  }
  /** Returns the next messages of the queue. */
  async receive() {
    const messages = await arrived
    arrived = arrival()
    return messages
  }
  async call(method, args) {
    const before = written
    if (method === 'pass') ahead += args[0]
    const answer = await (method === 'pass' ? this.alarm() : method === 'receive' ? this.receive() : this[method](...args))
    return { answer: answer ?? null, rows: written - before }
  }
}
export default {
  async fetch(request, { COORDINATOR }) {
    if (request.method !== 'POST') return new Response('')
    const [name, method, ...args] = await request.json()
    return Response.json(await COORDINATOR.getByName(name).call(method, args))
  },
}`

/** Longer than any lease. */
const LEASE = 20 * 60_000

let folder = ''
const runtimes: WorkerRuntime[] = []
const start = async (dispatch: string): Promise<WorkerRuntime> => {
  const runtime = await startRuntime({
    configuration: join(folder, 'wrangler.json'),
    variables: { DISPATCH: dispatch, REBUILD_QUIET_MS: '20' },
  })
  runtimes.push(runtime)
  return runtime
}
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrina-coordinator-bill-'))
  writeFileSync(join(folder, 'worker.js'), WORKER)
  const settings = {
    name: 'bill',
    main: 'worker.js',
    compatibility_date: '2026-11-01',
    durable_objects: { bindings: [{ name: 'COORDINATOR', class_name: 'Counted' }] },
    migrations: [{ tag: 'v1', new_sqlite_classes: ['Counted'] }],
  }
  writeFileSync(join(folder, 'wrangler.json'), JSON.stringify(settings))
})
afterAll(async () => {
  for (const runtime of runtimes) await runtime.kill()
  rmSync(folder, { recursive: true, force: true })
})

/** Calls of one coordinator, with the rows that they have written. */
class Caller {
  rows = 0
  readonly #runtime: WorkerRuntime

  constructor(runtime: WorkerRuntime) {
    this.#runtime = runtime
  }

  async call<Answer>(method: string, ...args: readonly unknown[]): Promise<Answer> {
    const body = JSON.stringify(['site', method, ...args])
    const response = await fetch(this.#runtime.origin, { method: 'POST', body })
    const { answer, rows } = (await response.json()) as { answer: Answer; rows: number }
    this.rows += rows
    return answer
  }

  /** Returns the rows that the work has written. */
  async count(work: () => Promise<unknown>): Promise<number> {
    const before = this.rows
    await work()
    return this.rows - before
  }
}

const OBJECT = { name: 'ana', isGone: false, hasProfile: true, products: 25 }
let version = 0

/** Makes the calls of one put. */
async function put(caller: Caller): Promise<void> {
  version += 1
  await caller.call('permit', { objects: [OBJECT], isShrinkAllowed: false })
  await caller.call('settle', [{ ...OBJECT, version, updated: `time ${version}` }], 'put')
}

async function showByWorker(caller: Caller): Promise<void> {
  await caller.call('accept', { id: `n${version}`, sellers: ['ana'], isFull: false })
  const asked = await caller.call<readonly object[]>('receive')
  const taken = await caller.call<readonly object[]>('takeChanges', asked)
  await put(caller)
  await caller.call(
    'settleChanges',
    taken.map((message) => ({ ...message, outcome: { kind: 'put' } })),
  )
  // The end of the lease, after which nothing is set.
  await caller.call('pass', LEASE)
}

async function showByBuilder(caller: Caller, isPublished: boolean): Promise<void> {
  await caller.call('accept', { id: `n${version}`, sellers: ['ana'], isFull: false })
  const { lease, upTo } = await caller.call<{ lease: string; upTo: number }>('claim', {
    builder: 'one',
    have: null,
  })
  if (isPublished) {
    version += 1
    const call = { version: `v${version}`, sequence: upTo, base: null, by: null }
    const { lease: leave } = await caller.call<{ lease: string }>('publish', call)
    await caller.call('published', { lease: leave, isLive: true, by: null })
  } else await put(caller)
  await caller.call('report', { lease, upTo, failed: [] })
  await caller.call('pass', LEASE)
}

it('writes the rows that are documented', { timeout: 60_000 }, async () => {
  const queue = new Caller(await start('queue'))
  const builder = new Caller(await start(''))
  for (let round = 0; round < 2; round += 1) {
    await showByWorker(queue)
    await showByBuilder(builder, true)
    await showByBuilder(builder, false)
  }
  const counted = {
    'a change of an object, without a builder': await queue.count(() => showByWorker(queue)),
    'a change of an object, by a builder': await builder.count(() => showByBuilder(builder, false)),
    'a change of a site of files': await builder.count(() => showByBuilder(builder, true)),
    'the status': await builder.count(() => builder.call('status', { isLogWanted: true })),
  }
  const table = readTable(readPage('docs/operate.md'), 'one price', 'rows written at the coordinator')
  expect(Object.fromEntries(table.map(([name, rows]) => [name, Number(rows)]))).toEqual(counted)
  // The index's part is counted in `search-bill.test.ts`.
  const index = readTable(readPage('docs/search.md'), 'operation', 'rows written at most')
  const [, price] = index.find(([name]) => name === 'another price of a product') ?? []
  for (const rows of Object.values(counted)) expect(rows + Number(price)).toBeLessThanOrEqual(12)
})
