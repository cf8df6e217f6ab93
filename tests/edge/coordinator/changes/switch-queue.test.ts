/** Builders beside the Worker that renders changes itself, and the switch from one to the other: no change is lost. */
import { beforeEach, describe, expect, it } from 'vitest'
import { CoordinatorTwin, expectGranted } from '../../../../scripts/prove/coordinator/coordinator-twin.ts'
import { findDispatchTime } from '../../../../src/edge/coordinator/schedule.ts'
import type { ChangeMessage, ChangeOutcome } from '../../../../src/edge/coordinator/change-ledger.ts'

const PUT: ChangeOutcome = { kind: 'put' }
const LARGE: ChangeOutcome = { kind: 'large', reason: 'it has 9,000 products' }
const FAILED: ChangeOutcome = { kind: 'failed', reason: 'it throws' }

let twin: CoordinatorTwin
let have: number
beforeEach(() => {
  twin = new CoordinatorTwin({}, { isQueue: true })
  have = twin.build(null).upTo
})

const names = (messages: readonly ChangeMessage[]): readonly string[] => messages.map(({ name }) => name)
const findBuild = (): number | null => findDispatchTime(twin.standing, twin.settings)
const readPending = (): number => twin.status().pending

/** Sends what waits and settles it. */
function work(outcome: ChangeOutcome = PUT): readonly string[] {
  const messages = twin.sendAtAlarm()
  for (const message of messages) twin.settle(message, outcome)
  return names(messages)
}

describe('a builder', () => {
  it('is not started for what the Worker renders, and is given it when it comes', () => {
    twin.notify('a')
    work()
    expect([readPending(), findBuild()]).toEqual([0, null])
    expect(expectGranted(twin.claim(have)).sellers).toEqual(['a'])
  })

  it('is started for a full read, which answers all that was noticed before its claim', () => {
    twin.notify('a', 'b', 'c', '1')
    const [a] = twin.sendAtAlarm()
    twin.settle(a, FAILED)
    twin.notifyFull()
    twin.now += 1
    expect(findBuild()).not.toBeNull()
    const granted = expectGranted(twin.claim(have))
    expect(granted.sellers).toBe('all')
    twin.notify('d')
    twin.deliver(granted)
    // Their own messages answer changes that are sent; the lease of the last began with its notice.
    const open = twin
      .listOpen()
      .map(({ seller, phase }) => `${seller} ${phase === 'sent' ? 'is sent' : 'waits'}`)
    expect(open.toSorted()).toEqual(['1 is sent', 'b is sent', 'c is sent', 'd is sent'])
  })

  it('leaves what its full read failed at to the Worker, too', () => {
    twin.notify('a', 'b')
    twin.notifyFull()
    twin.build(have, ['a'])
    expect(readPending()).toBe(1)
    expect(work()).toEqual(['a'])
    expect([readPending(), findBuild()]).toEqual([0, null])
  })

  it('leaves what waits to the Worker unless it reads everything', () => {
    twin.notify('a')
    expect(twin.build(have).sellers).toEqual(['a'])
    expect(work()).toEqual(['a'])
  })

  it('is started for a seller who is too large', () => {
    twin.notify('a', 'b')
    expect(work(LARGE)).toEqual(['a', 'b'])
    expect(twin.status()).toMatchObject({ pending: 2, changes: { waiting: 0, large: 2 } })
    expect(findBuild()).toBe(twin.now + twin.settings.quiet)
    have = twin.build(have).upTo
    expect(twin.status()).toMatchObject({ pending: 0, changes: { large: 0, left: [] } })
    expect(twin.changeTime).toBeNull()
  })

  it('is not needed when a large seller has become smaller', () => {
    twin.notify('a')
    work(LARGE)
    expect(twin.notify('a')).toEqual({ accepted: 1, pending: 1 })
    expect(findBuild()).toBeNull()
    work()
    expect(twin.status()).toMatchObject({ pending: 0, oldest: null, waiting: false })
  })

  it('that failed at a page is not waited for once the Worker gets a notice of a change', () => {
    twin.notify('b')
    twin.build(have, ['a'])
    expect(twin.status()).toMatchObject({ pending: 2, failed: 1 })
    twin.notify('a')
    work()
    work()
    expect(twin.status()).toMatchObject({ pending: 0, failed: 0 })
    expect(findBuild()).toBeNull()
  })
})

describe('the switch', () => {
  it('to a builder hands it all that waits, also what is sent or failed', () => {
    twin.notify('a', 'b', '1')
    const messages = twin.sendAtAlarm()
    twin.settle(
      messages.find(({ name }) => name === 'b'),
      FAILED,
    )
    twin.notify('c')
    twin.restart(false)
    expect(twin.status()).toMatchObject({ pending: 4, failed: 0, changes: null })
    expect(findBuild()).toBe(twin.now + twin.settings.quiet)
    // A message that is still on its way is late.
    for (const message of messages) twin.settle(message, PUT)
    const { sellers, upTo } = twin.build(have)
    expect(new Set(sellers)).toEqual(new Set(['1', 'a', 'b', 'c']))
    expect(readPending()).toBe(0)
    twin.notify('d')
    expect(twin.build(upTo).sellers).toEqual(['d'])
  })

  it('to the queue takes over what waits for a builder, also what failed', () => {
    twin.restart(false)
    twin.notify('a', 'b')
    have = twin.build(have, ['b']).upTo
    twin.notify('c')
    expect(readPending()).toBe(2)
    twin.restart(true)
    expect(twin.status()).toMatchObject({ pending: 2, failed: 0, waiting: false, oldest: expect.any(String) })
    expect(findBuild()).toBeNull()
    expect(work().toSorted()).toEqual(['b', 'c'])
    expect(twin.status()).toMatchObject({ pending: 0, oldest: null })
  })

  it('to the queue leaves a full read to the builder', () => {
    twin.restart(false)
    twin.notifyFull()
    twin.restart(true)
    expect(twin.status()).toMatchObject({ full: true, waiting: true })
    expect(findBuild()).not.toBeNull()
  })

  it('is none at a restart with the same setting', () => {
    twin.notify('a')
    const [message] = twin.sendAtAlarm()
    twin.restart(true)
    twin.settle(message, PUT)
    expect(readPending()).toBe(0)
  })
})
