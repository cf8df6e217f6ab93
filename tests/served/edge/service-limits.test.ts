/** A Worker of these tests is refused what the service refuses, although the local runtime takes it. */
import { writeFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { startRuntime } from '../../support/edge/worker-runtime.ts'
import { useTemporaryFolder } from '../../support/run/temporary.ts'

const WORKER = `
import { DurableObject } from 'cloudflare:workers'
export class Probe extends DurableObject {
  ask(query, bindings) {
    try {
      return this.ctx.storage.sql.exec(query, ...bindings).toArray().length
    } catch (error) {
      return error.message
    }
  }
}
export default {
  async fetch(request, { PROBE, FILES }) {
    if (request.method !== 'POST') return new Response('')
    const { query, bindings, calls = 0 } = await request.json()
    try {
      for (let call = 0; call < calls; call += 1) await FILES.head('key')
      return Response.json(query === undefined ? calls : await PROBE.getByName('one').ask(query, bindings))
    } catch (error) {
      return Response.json(error.message)
    }
  },
}`

const path = useTemporaryFolder()

it('refuses large values, rows and statements, many arguments, long patterns and many calls', async () => {
  writeFileSync(path('worker.js'), WORKER)
  const settings = {
    name: 'limits',
    main: 'worker.js',
    compatibility_date: '2026-11-01',
    durable_objects: { bindings: [{ name: 'PROBE', class_name: 'Probe' }] },
    migrations: [{ tag: 'v1', new_sqlite_classes: ['Probe'] }],
    r2_buckets: [{ binding: 'FILES', bucket_name: 'files' }],
  }
  writeFileSync(path('wrangler.json'), JSON.stringify(settings))
  const { origin, kill } = await startRuntime({ configuration: path('wrangler.json') })
  onTestFinished(kill)
  const ask = async (body: object): Promise<unknown> =>
    (await fetch(origin, { method: 'POST', body: JSON.stringify(body) })).json()
  const query = (text: string, ...bindings: readonly unknown[]): Promise<unknown> =>
    ask({ query: text, bindings })
  const list = (count: number): string => Array.from({ length: count }, () => '1').join()
  const half = 'ñ'.repeat(500_000)

  expect(await query('SELECT ? AS one, ? AS other', half, half)).toBe(1)
  expect(await query('SELECT ? AS one, ? AS other', half, `${half}x`)).toContain('too big')
  expect(await query('SELECT ?', `${half}${half}x`)).toContain('too big')
  expect(await query(`SELECT max(${list(32)})`)).toBe(1)
  expect(await query(`SELECT max(${list(33)})`)).toContain('too many arguments')
  expect(await query("SELECT 1 WHERE 'a' GLOB ?", 'a'.repeat(51))).toContain('too complex')
  expect(await query(`SELECT '${'x'.repeat(100_000)}'`)).toContain('too long')
  expect(await ask({ calls: 1_000 })).toBe(1_000)
  expect(await ask({ calls: 1_001 })).toContain('Too many subrequests')
})
