/** The rows that the coordinator writes for one change on the real runtime, where rows are billed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ROOT } from '../../support/rebuild/rebuild.ts'
import type { WorkerRuntime } from '../../support/edge/worker-runtime.ts'
import { startRuntime } from '../../support/edge/worker-runtime.ts'

/** Calls are methods of the coordinator. `rows`: those written since the last call of it, each alarm that was set counted as one. */
const WORKER = `
import { RebuildCoordinator } from '${join(ROOT, 'src/edge/coordinator/rebuild-coordinator.ts')}'
let written = 0
let ahead = 0
const by = {}
export class Counted extends RebuildCoordinator {
  constructor(ctx, environment) {
    const { storage } = ctx
    const exec = storage.sql.exec.bind(storage.sql)
    storage.sql.exec = (query, ...bindings) => {
      const cursor = exec(query, ...bindings)
      const rows = cursor.toArray()
      written += cursor.rowsWritten
      if (cursor.rowsWritten > 0) by[query.trim().slice(0, 60)] = (by[query.trim().slice(0, 60)] ?? 0) + cursor.rowsWritten
      return { toArray: () => rows }
    }
    for (const name of ['setAlarm', 'deleteAlarm']) {
      const set = storage[name].bind(storage)
      storage[name] = (...time) => { written += 1; by[name] = (by[name] ?? 0) + 1; return set(...time) }
    }
    super(ctx, environment)
  }
  now() { return super.now() + ahead }
  async call(method, args) {
    if (method === 'pass') { ahead += args[0]; return null }
    return this[method](...args)
  }
}
export default {
  async fetch(request, { COORDINATOR }) {
    if (request.method !== 'POST') return new Response('')
    const [method, ...args] = await request.json()
    const rows = written
    if (method === 'by') { const all = { ...by }; for (const key in by) delete by[key]; return Response.json(all) }
    const answer = await COORDINATOR.getByName('site').call(method, args)
    return Response.json({ answer, rows: written - rows })
  },
}`

let folder = ''
let runtime: WorkerRuntime
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vitrina-coordinator-bill-'))
  writeFileSync(join(folder, 'worker.js'), WORKER)
  const configuration = join(folder, 'wrangler.json')
  const settings = {
    name: 'bill',
    main: 'worker.js',
    compatibility_date: '2026-11-01',
    durable_objects: { bindings: [{ name: 'COORDINATOR', class_name: 'Counted' }] },
    queues: { producers: [{ binding: 'CHANGES', queue: 'changes' }] },
    migrations: [{ tag: 'v1', new_sqlite_classes: ['Counted'] }],
  }
  writeFileSync(configuration, JSON.stringify(settings))
  runtime = await startRuntime({ configuration, variables: { DISPATCH: 'queue', REBUILD_QUIET_MS: '200' } })
})
afterAll(async () => {
  await runtime.kill()
  rmSync(folder, { recursive: true, force: true })
})

let total = 0
async function call<Answer>(method: string, ...args: readonly unknown[]): Promise<Answer> {
  const response = await fetch(runtime.origin, { method: 'POST', body: JSON.stringify([method, ...args]) })
  const { answer, rows } = (await response.json()) as { answer: Answer; rows: number }
  total += rows
  console.log(method, rows)
  return answer
}
const show = async () =>
  console.log(await (await fetch(runtime.origin, { method: 'POST', body: '["by"]' })).json())

it('counts', async () => {
  const change = async (id: number) => {
    total = 0
    await call('accept', { id: `n${id}`, sellers: ['ana'], isFull: false })
    await show()
    await call('pass', 2_000)
    await call('alarm')
    await show()
    const upTo = Date.now() + 10_000_000
    const taken = await call<{ name: string; upTo: number }[]>('takeChanges', [
      { name: 'ana', upTo, sentAt: Date.now() },
    ])
    await show()
    const object = { name: 'ana', isGone: false, hasProfile: true, products: 3 }
    await call('permit', { objects: [object], isShrinkAllowed: false })
    await show()
    await call('settle', [{ ...object, version: id, updated: `2026-01-0${id}` }], 'put')
    await show()
    await call(
      'settleChanges',
      taken.map((one) => ({ ...one, outcome: { kind: 'put' } })),
    )
    await show()
    await call('pass', 200_000)
    await call('alarm')
    await show()
    console.log('total', total)
  }
  for (const id of [1, 2, 3]) {
    await change(id)
    await call('pass', 4_000_000)
    await call('alarm')
  }
  expect(total).toBeLessThan(100)
})
