/** The refill belongs to the live code, moves step by step, and is restarted when its message was lost. */
import { beforeEach, expect, it } from 'vitest'
import type { MemoryLedger } from '../../../../scripts/prove/edge/memory-ledger.ts'
import { createMemoryLedger } from '../../../../scripts/prove/edge/memory-ledger.ts'
import type { RefillDone } from '../../../../src/edge/coordinator/object-ledger.ts'
import { LONGEST_STEP } from '../../../../src/edge/coordinator/objects/move-refill.ts'

const START = Date.parse('2026-03-01T12:00:00Z')
const FIRST = { bucket: 0, after: null }
const NEXT = { bucket: 3, after: 'sellers/03/a' }

let ledger: MemoryLedger
beforeEach(async () => {
  ledger = createMemoryLedger(START)
  await ledger.goLive('new')
})

const createDone = (more: Partial<RefillDone> = {}): RefillDone => ({
  step: FIRST,
  next: NEXT,
  rendered: 5,
  failed: 1,
  ...more,
})

it('goes on where it was, to the end', async () => {
  expect(await ledger.claimRefill('new')).toEqual(FIRST)
  expect(await ledger.settleRefill('new', createDone())).toEqual(NEXT)
  expect(await ledger.claimRefill('new')).toEqual(NEXT)
  expect(await ledger.goLive('new')).toEqual({ refill: 'running' })
  expect((await ledger.readSiteState()).refill).toEqual({ done: 3, of: 256 })
  expect(await ledger.settleRefill('new', createDone({ step: NEXT, next: null }))).toBeNull()
  expect(await ledger.claimRefill('new')).toBeNull()
  expect(await ledger.goLive('new')).toEqual({ refill: 'done' })
  expect(await ledger.readSiteState()).toMatchObject({ code: 'new', refill: { done: 256, of: 256 } })
  expect(ledger.objects.readStanding().refill).toMatchObject({ rendered: 10, failed: 2 })
})

it('counts a step once, though its message came twice or late', async () => {
  await ledger.settleRefill('new', createDone())
  expect(await ledger.settleRefill('new', createDone())).toBeNull()
  expect(await ledger.settleRefill('new', createDone({ next: null }))).toBeNull()
  expect(ledger.objects.readStanding().refill).toMatchObject({ step: NEXT, rendered: 5, failed: 1 })
})

it('belongs to the live code alone, and begins again after a switch and after a rollback', async () => {
  expect(await ledger.claimRefill('old')).toBeNull()
  await ledger.settleRefill('new', createDone())
  expect(await ledger.goLive('old')).toEqual({ refill: 'started' })
  expect(await ledger.claimRefill('new')).toBeNull()
  expect(await ledger.settleRefill('new', createDone({ step: NEXT, next: null }))).toBeNull()
  expect(await ledger.claimRefill('old')).toEqual(FIRST)
})

it('is restarted once it has not moved for a while', async () => {
  await ledger.settleRefill('new', createDone())
  expect(ledger.restart()).toBeNull()
  ledger.clock.now += LONGEST_STEP
  expect(ledger.restart()).toEqual({ code: 'new', ...NEXT })
  expect(ledger.restart()).toBeNull()
  await ledger.settleRefill('new', createDone({ step: NEXT, next: null }))
  ledger.clock.now += LONGEST_STEP
  expect(ledger.restart()).toBeNull()
})
