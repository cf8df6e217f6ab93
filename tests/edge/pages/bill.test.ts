/** The operations that docs/objects.md names are those that views and changes cause. */
import { expect, it } from 'vitest'
import { consumeChanges } from '../../../src/edge/intake/consume-changes.ts'
import type { ObjectHost } from '../../../src/edge/objects/object-host.ts'
import type { ObjectStore } from '../../../src/edge/objects/object-store.ts'
import { listTags } from '../../../src/edge/objects/list-tags.ts'
import { acceptObjects } from '../../../src/edge/objects/push-objects.ts'
import { createBatch, createChangeHost } from '../../support/edge/change-host.ts'
import { product, user } from '../../support/rebuild/documents.ts'
import { readDocumentationPage, readTable } from '../../support/run/documentation.ts'
import { MemorySite } from '../../support/edge/edge-site.ts'
import { createMemoryHost, createHostSeller } from '../../support/edge/object-host.ts'

const HEADER = ['operation', 'requests', 'R2 class A', 'R2 class B', 'calls of the coordinator']
const PAGE = readDocumentationPage('docs/objects.md')
const rows = [
  ...readTable(PAGE, ...HEADER),
  ...readTable(PAGE, 'without a builder', ...HEADER.slice(1), 'queue operations', 'Firestore reads'),
]

function readRow(name: string): readonly number[] {
  return (
    rows
      .find(([first]) => first === name)
      ?.slice(1)
      .map(Number) ?? []
  )
}

/** Returns requests, operations of class A and B, and calls of the coordinator. */
async function countView(site: MemorySite, path: string): Promise<readonly number[]> {
  const before = site.reads.length
  await site.ask(path)
  return [1, 0, site.reads.length - before, 0]
}

interface Counts {
  a: number
  b: number
  calls: number
}

function count<Host extends ObjectHost>(host: Host, counts: Counts): Host {
  const { store, ledger } = host
  const counting: ObjectStore = {
    head: (key) => ((counts.b += 1), store.head(key)),
    get: (key) => ((counts.b += 1), store.get(key)),
    put: (key, bytes, options) => ((counts.a += 1), store.put(key, bytes, options)),
    list: (prefix, after) => ((counts.a += 1), store.list(prefix, after)),
  }
  const countingLedger: Host['ledger'] = {
    ...ledger,
    permit: (call) => ((counts.calls += 1), ledger.permit(call)),
    settle: (objects, how) => ((counts.calls += 1), ledger.settle(objects, how)),
  }
  return { ...host, store: counting, ledger: countingLedger }
}

async function countChanges(sellers: readonly string[]): Promise<readonly number[]> {
  const counts = { requests: 0, a: 0, b: 0, calls: 0 }
  const counted = count(createMemoryHost(), counts)
  const deliver = async (): Promise<void> => {
    Object.assign(counts, { requests: 2, a: 0, b: 0, calls: 0 })
    const { objects: tags } = await listTags({ names: sellers }, counted)
    const objects = tags.map(({ name, tag }) => ({ name, tag, data: createHostSeller(name) }))
    await acceptObjects({ format: 1, intake: '', objects, isShrinkAllowed: false }, counted)
  }
  await deliver()
  await deliver()
  return [counts.requests, counts.a, counts.b, counts.calls]
}

/** Messages that the Worker takes together. */
const TOGETHER = 20
/** Operations of Queues for each message: written, read, deleted. Source: https://developers.cloudflare.com/queues/platform/pricing/ */
const PER_MESSAGE = 3

/** As above, with the operations of the queue and the documents read. Each seller has 25 products. */
async function countEdgeChanges(sellers: readonly string[]): Promise<readonly number[]> {
  const host = createChangeHost()
  const products = Array.from({ length: 25 }, (_, index) => index)
  for (const seller of sellers)
    host.source.documents.push(
      user(seller),
      ...products.map((index) => product(`${seller}-${index}`, seller)),
    )
  // The notice is a request and a call; the alarm that sends the messages is another call.
  const counts = { a: 0, b: 0, calls: 2 }
  const { settleChanges } = host.ledger
  const ledger = {
    ...host.ledger,
    settleChanges: (settled: Parameters<typeof settleChanges>[0]) => (
      (counts.calls += 1),
      settleChanges(settled)
    ),
  }
  let requests = 1
  for (let from = 0; from < sellers.length; from += TOGETHER) {
    requests += 1
    await consumeChanges(
      createBatch(sellers.slice(from, from + TOGETHER)),
      count({ ...host, ledger }, counts),
    )
  }
  const { a, b, calls } = counts
  return [requests, a, b, calls, PER_MESSAGE * sellers.length, host.source.documents.length]
}

it('a view reads its object once, and again only when what the data centre has is too old', async () => {
  const site = new MemorySite()
  await site.put('ana', createHostSeller('ana'))
  expect(await countView(site, '/catalogo/ana')).toEqual(readRow('view'))
  expect(await countView(site, '/catalogo/ana?filtro=disponible')).toEqual(readRow('view, read a moment ago'))
  site.now += 6_000
  expect(await countView(site, '/catalogo/ana/p')).toEqual(readRow('view'))
})

it('an unknown seller costs a read, an impossible id none', async () => {
  const site = new MemorySite()
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

it('a change that the Worker reads itself is one look at the object, one write, and its documents', async () => {
  expect(await countEdgeChanges(['ana'])).toEqual(readRow('one change, 25 products'))
  const sellers = Array.from({ length: 100 }, (_, index) => `seller${index}`)
  expect(await countEdgeChanges(sellers)).toEqual(readRow('100 changes at once, 25 products each'))
})
