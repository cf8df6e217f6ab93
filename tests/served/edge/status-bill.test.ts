/** A monitor may ask for the status each minute: it reads as many rows for 2,000 sellers as for 10. Counted on the real runtime. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { createUpdate, MAX_UPDATES } from '../../../src/domain/search/search-index.ts'
import { divide } from '../../../src/domain/work/batches.ts'
import { readDocumentationPage, readTable } from '../../support/run/documentation.ts'
import { ROOT } from '../../../src/builder/state/project-folder.ts'
import { useSharedFolder } from '../../support/run/temporary.ts'
import { createEntry, createProduct } from '../../support/search/search-entries.ts'
import type { WorkerRuntime } from '../../support/edge/worker-runtime.ts'
import { startRuntime } from '../../support/edge/worker-runtime.ts'

const WORKER = `
import { DurableObject } from 'cloudflare:workers'
import { SiteCoordinator } from '${join(ROOT, 'src/edge/coordinator/site-coordinator.ts')}'
import { openShard } from '${join(ROOT, 'src/edge/search/open-shard.ts')}'
let read = 0
const count = (sql) => {
  const exec = sql.exec.bind(sql)
  return (query, ...bindings) => {
    const cursor = exec(query, ...bindings)
    const rows = cursor.toArray()
    read += cursor.rowsRead
    return { toArray: () => rows }
  }
}
export class Coordinator extends SiteCoordinator {
  constructor(ctx, environment) {
    ctx.storage.sql.exec = count(ctx.storage.sql)
    super(ctx, { ...environment, CHANGES: { sendBatch: async () => {} } })
  }
  call(method, args) {
    return this[method](...args)
  }
}
export class Shard extends DurableObject {
  constructor(ctx, environment) {
    super(ctx, environment)
    const { storage } = ctx
    this.shard = openShard({
      sql: { exec: count(storage.sql) },
      transactionSync: (work) => storage.transactionSync(work),
    })
  }
  async call(method, args) {
    if (method !== 'update') return this.shard[method](...args)
    const { tags } = await this.shard.see(args[0])
    return this.shard.update(args[0].map((one, at) => ({ ...one, seen: tags[at] })))
  }
}
export default {
  async fetch(request, environment) {
    if (request.method !== 'POST') return new Response('')
    const [part, name, method, ...args] = await request.json()
    const before = read
    await environment[part].getByName(name).call(method, args)
    return Response.json(read - before)
  },
}`

const FEW = 10
const MANY = 2_000
const MINUTES = 24 * 60
/** Longer than the test: an alarm would send the changes, and its rows would count. In milliseconds. */
const QUIET = String(MINUTES * 60_000)

const path = useSharedFolder()
beforeAll(() => {
  writeFileSync(path('worker.js'), WORKER)
  const settings = {
    name: 'bill',
    main: 'worker.js',
    compatibility_date: '2026-11-01',
    durable_objects: {
      bindings: [
        { name: 'COORDINATOR', class_name: 'Coordinator' },
        { name: 'SHARD', class_name: 'Shard' },
      ],
    },
    migrations: [{ tag: 'v1', new_sqlite_classes: ['Coordinator', 'Shard'] }],
  }
  writeFileSync(path('wrangler.json'), JSON.stringify(settings))
})

function start(dispatch: string): Promise<WorkerRuntime> {
  return startRuntime({
    configuration: path('wrangler.json'),
    variables: { DISPATCH: dispatch, REBUILD_QUIET_MS: QUIET, REBUILD_LONGEST_WAIT_MS: QUIET },
    state: path(`state-${dispatch}`),
  })
}

/** Returns the rows that the call reads, with those that an object reads when it begins. */
async function call({ origin }: WorkerRuntime, ...named: readonly unknown[]): Promise<number> {
  return (await fetch(origin, { method: 'POST', body: JSON.stringify(named) })).json() as Promise<number>
}

/** Each seller has changed. `isShown`: her page, her object and her entry in the index have the change. */
async function fill(runtime: WorkerRuntime, name: string, size: number, isShown = true): Promise<void> {
  const sellers = Array.from({ length: size }, (_, at) => `s${at}`)
  for (const part of divide(sellers, MAX_UPDATES)) {
    const now = Date.now()
    await call(runtime, 'COORDINATOR', name, 'accept', { id: `n${part[0]}`, sellers: part, isFull: false })
    if (!isShown) continue
    const objects = part.map((one) => ({ name: one, isGone: false, hasProfile: true, products: 25 }))
    const settled = objects.map((one) => ({ ...one, version: 1, updated: 'now' }))
    await call(runtime, 'COORDINATOR', name, 'settle', settled, 'put')
    const changes = part.map((one) => ({ name: one, upTo: now * 2, sentAt: now, outcome: { kind: 'put' } }))
    await call(runtime, 'COORDINATOR', name, 'settleChanges', changes)
    const entries = part.map((one) => createUpdate(one, createEntry(one, one, [createProduct('p', one)]), ''))
    await call(runtime, 'SHARD', name, 'update', await Promise.all(entries))
  }
}

it('reads the rows that are documented, however many sellers there are', async () => {
  const rows: number[][] = []
  for (const dispatch of ['', 'queue']) {
    const first = await start(dispatch)
    await fill(first, 'few', FEW)
    await fill(first, 'many', MANY)
    await fill(first, 'late', MANY, false)
    await first.kill()
    // Other objects than those that were filled: a monitor wakes them each minute.
    const again = await start(dispatch)
    const ask = async (name: string): Promise<number> =>
      (await call(again, 'COORDINATOR', name, 'status', { isLogWanted: false })) +
      (await call(again, 'SHARD', name, 'readState'))
    const [few, many, late] = [await ask('few'), await ask('many'), await ask('late')]
    await again.kill()
    expect(many).toBe(few)
    expect(many * MINUTES).toBeLessThan(100_000)
    rows.push([many, late])
  }
  const table = readTable(
    readDocumentationPage('docs/operate.md'),
    'rows read by a status',
    'pages by builders',
    'by the Worker',
  )
  expect(table.map((row) => row.slice(1).map(Number))).toEqual(
    [0, 1].map((state) => rows.map((row) => row[state])),
  )
})
