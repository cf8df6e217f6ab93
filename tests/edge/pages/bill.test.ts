/** The operations that docs/objects.md names are those that views and changes cause. */
import { expect, it } from 'vitest'
import type { ObjectStore } from '../../../src/edge/pages/object-store.ts'
import { listTags } from '../../../src/edge/pages/list-tags.ts'
import { pushObjects } from '../../../src/edge/pages/push-objects.ts'
import { readPage, readTable } from '../../support/documentation.ts'
import { EdgeSite } from '../../support/edge-site.ts'
import { createMemoryHost, createSeller } from '../../support/object-host.ts'

const HEADER = ['operation', 'requests', 'R2 class A', 'R2 class B', 'calls of the coordinator']
const rows = readTable(readPage('docs/objects.md'), ...HEADER)

function readRow(name: string): readonly number[] {
  return (
    rows
      .find(([first]) => first === name)
      ?.slice(1)
      .map(Number) ?? []
  )
}

/** Returns requests, operations of class A and B, and calls of the coordinator. */
async function countView(site: EdgeSite, path: string): Promise<readonly number[]> {
  const before = site.reads.length
  await site.ask(path)
  return [1, 0, site.reads.length - before, 0]
}

async function countChanges(sellers: readonly string[]): Promise<readonly number[]> {
  const host = createMemoryHost()
  const counts = { requests: 0, a: 0, b: 0, calls: 0 }
  const { store, ledger } = host
  const counting: ObjectStore = {
    head: (key) => ((counts.b += 1), store.head(key)),
    get: (key) => ((counts.b += 1), store.get(key)),
    put: (key, bytes, options) => ((counts.a += 1), store.put(key, bytes, options)),
    list: (prefix, after) => ((counts.a += 1), store.list(prefix, after)),
  }
  const countingLedger: typeof ledger = {
    ...ledger,
    permit: (call) => ((counts.calls += 1), ledger.permit(call)),
    settle: (objects, how) => ((counts.calls += 1), ledger.settle(objects, how)),
  }
  const counted = { ...host, store: counting, ledger: countingLedger }
  const deliver = async (): Promise<void> => {
    Object.assign(counts, { requests: 2, a: 0, b: 0, calls: 0 })
    const { objects: tags } = await listTags({ names: sellers }, counted)
    const objects = tags.map(({ name, tag }) => ({ name, tag, data: createSeller(name) }))
    await pushObjects({ format: 1, intake: '', objects, isShrinkAllowed: false }, counted)
  }
  await deliver()
  await deliver()
  return [counts.requests, counts.a, counts.b, counts.calls]
}

it('a view reads its object once, and again only when what the data centre has is too old', async () => {
  const site = new EdgeSite()
  await site.put('ana', createSeller('ana'))
  expect(await countView(site, '/catalogo/ana')).toEqual(readRow('view'))
  expect(await countView(site, '/catalogo/ana?filtro=disponible')).toEqual(readRow('view, read a moment ago'))
  site.now += 6_000
  expect(await countView(site, '/catalogo/ana/p')).toEqual(readRow('view'))
})

it('an unknown seller costs a read, an impossible id none', async () => {
  const site = new EdgeSite()
  expect(await countView(site, '/catalogo/nobody')).toEqual(readRow('view of an unknown seller'))
  expect(await countView(site, '/catalogo/nobody')).toEqual(readRow('view, read a moment ago'))
  expect(await countView(site, '/catalogo/%00')).toEqual(readRow('view of an impossible id'))
})

it('a change is two calls of the builder, one write, two looks at the object', async () => {
  expect(await countChanges(['ana'])).toEqual(readRow('one change'))
})

it('changes that come together share the calls of the coordinator', async () => {
  const sellers = Array.from({ length: 100 }, (_, index) => `seller${index}`)
  expect(await countChanges(sellers)).toEqual(readRow('100 changes at once'))
})
