/** The comparison of all objects: only what differs is sent, and sellers that are gone leave tombstones. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { SellerData } from '../../../../src/domain/objects/object-data.ts'
import type { ObjectComparison } from '../../../../src/builder/publish/objects/compare-objects.ts'
import { compareObjects } from '../../../../src/builder/publish/objects/compare-objects.ts'
import type { DeliveryOutcome } from '../../../../src/builder/publish/objects/delivery.ts'
import type { TagTable } from '../../../../src/builder/publish/objects/tag-table.ts'
import { readAllTags } from '../../../../src/builder/publish/objects/tag-table.ts'
import { createSeller } from '../../../support/edge/object-data.ts'
import type { MemoryOutbox, ObjectsTwin } from '../../../support/edge/objects-twin.ts'
import { createDelivery, createObjectsTwin, createOutbox } from '../../../support/edge/objects-twin.ts'

const SELLERS = Array.from({ length: 230 }, (_, at) => `s${String(at).padStart(3, '0')}`)

let twin: ObjectsTwin
let outbox: MemoryOutbox
let source: Map<string, SellerData>
let tags: TagTable | null
beforeEach(() => {
  twin = createObjectsTwin()
  outbox = createOutbox(...SELLERS)
  source = new Map<string, SellerData>(SELLERS.map((name) => [name, createSeller(name, name)]))
  tags = null
})
afterEach(() => tags?.close())

async function compare(change: Partial<ObjectComparison> = {}): Promise<DeliveryOutcome> {
  tags?.close()
  tags = await readAllTags((call) => twin.client.readTags(call))
  return compareObjects(createDelivery(twin, outbox, source), {
    tags,
    sellers: [...source.keys()].sort(),
    read: (name) => source.get(name) ?? null,
    named: new Set(),
    failed: new Set(),
    complete: () => {},
    ...change,
  })
}

it('fills an empty store', async () => {
  const { stored } = await compare()
  expect([stored.length, twin.objects.size, outbox.names.size]).toEqual([230, 230, 0])
})

it('sends nothing when nothing differs, with or without names in the outbox', async () => {
  await compare()
  outbox.add([...SELLERS, 'never'])
  const { stored, bytes } = await compare()
  expect([stored, bytes, outbox.names.size]).toEqual([[], 0, 0])
})

it('sends what differs, tombstones of sellers that are gone, and named objects with equal data', async () => {
  await compare()
  source.set('s001', createSeller('s001', 'Other'))
  source.delete('s002')
  twin.put('s004', null)
  outbox.add(['s003'])
  const { stored } = await compare({ named: new Set(['s003']) })
  expect([...stored].sort()).toEqual(['s001', 's002', 's003', 's004'])
  expect([twin.objects.get('s002')?.data, twin.objects.get('s003')?.version]).toEqual([null, 2])
})

it('does not put another tombstone where there is one', async () => {
  await compare()
  source.delete('s002')
  await compare()
  const { stored } = await compare()
  expect([stored, twin.objects.get('s002')?.version]).toEqual([[], 2])
})

it('sends sellers whose last push failed after all others, also after tombstones', async () => {
  await compare()
  for (const name of ['s001', 's003']) source.set(name, createSeller(name, 'Other'))
  source.delete('s002')
  outbox.add(['s001'])
  const { stored } = await compare({ failed: new Set(['s001']) })
  expect([stored, outbox.names.size]).toEqual([['s003', 's002', 's001'], 0])
})

it('is complete when the rest is in the outbox, which is then delivered', async () => {
  let rest: readonly string[] | null = null
  twin.intercept = async (name) => {
    if (rest === null && name === 's007') return { name, outcome: 'beaten' }
    return name === 's009' ? { name, outcome: 'failed', reason: 'it throws' } : null
  }
  const { stored, failed } = await compare({ complete: () => (rest = outbox.read()) })
  expect(rest).toEqual(['s007', 's009'])
  expect([stored.includes('s007'), failed.length, outbox.read()]).toEqual([true, 1, ['s009']])
})

it('sends the rest only after it was ended at any batch', async () => {
  let puts = 0
  twin.intercept = async () => {
    if (puts++ >= 120) throw new Error('killed')
    return null
  }
  await expect(compare()).rejects.toThrow('killed')
  twin.intercept = async () => null
  const before = twin.objects.size
  const { stored } = await compare()
  expect([stored.length, twin.objects.size]).toEqual([230 - before, 230])
  expect([...twin.objects.values()].filter(({ version }) => version > 1)).toEqual([])
})
