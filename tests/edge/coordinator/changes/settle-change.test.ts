/** How messages of changes end: what is answered, what is tried again, and when. */
import { beforeEach, describe, expect, it } from 'vitest'
import { CoordinatorTwin } from '../../../../scripts/prove/coordinator/coordinator-twin.ts'
import type { ChangeMessage, ChangeOutcome } from '../../../../src/edge/coordinator/change-ledger.ts'
import { MOST_STRANGERS } from '../../../../src/edge/coordinator/accept-notice.ts'
import { retryHeld } from '../../../../src/edge/coordinator/changes/release-changes.ts'
import { MAX_SENT } from '../../../../src/edge/coordinator/changes/message-lease.ts'
import {
  MAX_BEFORE_RETRIES,
  takeBackMessages,
} from '../../../../src/edge/coordinator/changes/send-changes.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const PUT: ChangeOutcome = { kind: 'put' }
const TROUBLE: ChangeOutcome = { kind: 'trouble', reason: 'busy', isPermanent: false, retryAfter: 0 }
const FAILED: ChangeOutcome = { kind: 'failed', reason: 'it throws' }
const HELD: ChangeOutcome = { kind: 'held', reason: 'too much' }

let twin: CoordinatorTwin
beforeEach(() => {
  twin = new CoordinatorTwin({}, { isQueue: true })
})

const names = (messages: readonly ChangeMessage[]): readonly string[] => messages.map(({ name }) => name)
const wait = (): number => (twin.changeTime ?? Infinity) - twin.now
const readLatency = async (): Promise<unknown> => (await twin.calls.readSiteState()).latency

describe('a notice', () => {
  it('waits until its seller has been quiet, independent of others', () => {
    twin.notify('a')
    twin.now += 1_500
    twin.notify('b')
    expect(wait()).toBe(500)
    expect(names(twin.sendAtAlarm())).toEqual(['a'])
    expect(wait()).toBe(1_500)
    expect(names(twin.sendAtAlarm())).toEqual(['b'])
  })

  it('of a seller who is never quiet waits for a limited time', () => {
    for (let round = 0; round < 30; round += 1) {
      twin.notify('a')
      expect(twin.send()).toEqual([])
      twin.now += 1_000
    }
    expect(names(twin.send())).toEqual(['a'])
  })

  it('counts each seller once, and a repeat not at all', () => {
    expect(twin.accept({ id: 'n', sellers: ['a', 'b'] })).toEqual({ accepted: 2, pending: 2 })
    expect(twin.accept({ id: 'n', sellers: ['a', 'b'] })).toEqual({ accepted: 0, pending: 2 })
    expect(twin.notify('b', 'c')).toEqual({ accepted: 2, pending: 3 })
    expect(twin.notifyFull()).toEqual({ accepted: 1, pending: 3 })
  })

  it('during a lease waits for its end', () => {
    twin.notify('a')
    const [first] = twin.sendAtAlarm()
    twin.now += 5 * SECOND
    twin.notify('a')
    twin.now += 10 * SECOND
    expect(twin.send()).toEqual([])
    twin.settle(first, PUT)
    const [second] = twin.send()
    expect(second?.name).toBe('a')
    twin.settle(second, PUT)
    expect(twin.standing.waiting).toBe(0)
    expect(twin.changeTime).toBeNull()
  })
})

describe('the end of a message', () => {
  it('settles what was noticed up to it, however late or doubled, and nothing of others', () => {
    twin.notify('a', 'b')
    const [a] = twin.sendAtAlarm()
    const [again] = twin.sendAtAlarm()
    twin.settle(a, PUT)
    expect(twin.standing).toMatchObject({ waiting: 1, sent: 1 })
    twin.settle(again, PUT)
    twin.settle(a, FAILED)
    expect(twin.standing).toMatchObject({ waiting: 1, sent: 1 })
    expect(twin.findOpen('b')).toMatchObject({ phase: 'sent', setback: null })
  })

  it('leaves what was noticed since to the message that is on its way', () => {
    twin.notify('a')
    const [first] = twin.sendAtAlarm()
    twin.now += 10 * SECOND
    twin.notify('a')
    const noticed = twin.now
    const [second] = twin.sendAtAlarm()
    for (const outcome of [FAILED, TROUBLE, HELD]) twin.settle(first, outcome)
    expect(twin.findOpen('a')).toMatchObject({ phase: 'sent', setback: null })
    for (let round = 0; round < 2; round += 1) {
      twin.settle(first, PUT)
      expect(twin.findOpen('a')).toMatchObject({ phase: 'sent', first: noticed, done: first?.upTo })
    }
    twin.settle(second, PUT)
    expect(twin.findOpen('a')).toBeNull()
    twin.notify('a')
    twin.settle(second, PUT)
    expect(twin.findOpen('a')).toMatchObject({ phase: 'sent', shown: null })
  })

  it('counts a setback once, also after its lease', () => {
    twin.notify('a')
    const [first] = twin.sendAtAlarm()
    twin.now += 2 * MINUTE
    twin.settle(first, FAILED)
    twin.settle(first, FAILED)
    expect(twin.findOpen('a')).toMatchObject({ phase: 'failed', setback: { attempts: 1 } })
    twin.settle(first, PUT)
    expect(twin.findOpen('a')).toBeNull()
  })

  it('that never comes lets it be sent again after growing leases', () => {
    twin.notify('a')
    twin.sendAtAlarm()
    for (const lease of [1, 2, 4, 8, 10, 10]) {
      expect(wait()).toBe(lease * MINUTE)
      expect(names(twin.sendAtAlarm())).toEqual(['a'])
    }
    expect(twin.calls.read((ledger) => ledger.findSilent())).toBe(6)
  })

  it('with a put is measured from the first notice that it answers', async () => {
    twin.notify('a')
    twin.now += 1_000
    twin.notify('a')
    const [first] = twin.sendAtAlarm()
    twin.now += 100
    twin.notify('a')
    twin.now += 100
    twin.settle(first, PUT)
    expect(await readLatency()).toEqual({ count: 1, p50: 3_200, p95: 3_200, slowest: 3_200 })
    const [second] = twin.sendAtAlarm()
    twin.settle(second, PUT)
    expect(await readLatency()).toEqual({ count: 2, p50: 2_000, p95: 3_200, slowest: 3_200 })
  })
})

describe('a seller who does not exist', () => {
  const ABSENT: ChangeOutcome = { kind: 'absent' }
  const DAY = 24 * 60 * MINUTE

  const countRows = (): readonly unknown[] =>
    ['feed', 'objects'].map(
      (table) => twin.database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count'],
    )
  const put = (name: string, isGone = false): Promise<void> =>
    twin.calls.settle(
      [{ name, isGone, hasProfile: !isGone, products: 0, version: twin.now, updated: '' }],
      'put',
    )

  it('leaves no row after a day, and no builder waits for it', () => {
    twin.notify(...Array.from({ length: 300 }, (_, index) => `nobody-${index}`), 'a')
    for (const message of twin.sendAtAlarm()) twin.settle(message, message.name === 'a' ? PUT : ABSENT)
    expect(twin.standing).toMatchObject({ waiting: 0, sent: 0 })
    expect([twin.status().pending, wait()]).toEqual([0, DAY])
    expect(twin.sendAtAlarm()).toEqual([])
    expect([countRows(), twin.changeTime]).toEqual([[1, 0], null])
  })

  it('is noticed like any other seller once she exists', () => {
    twin.notify('a')
    twin.settle(twin.sendAtAlarm()[0], ABSENT)
    twin.now += MINUTE
    expect(twin.notify('a')).toEqual({ accepted: 1, pending: 1 })
    expect(wait()).toBe(2 * SECOND)
    twin.settle(twin.sendAtAlarm()[0], PUT)
    twin.now += 2 * DAY
    expect([twin.send(), countRows()]).toEqual([[], [1, 0]])
  })

  it('is read again when a writer puts her that read her before, but not when one puts her tombstone', async () => {
    twin.notify('a', 'b')
    for (const message of twin.sendAtAlarm()) twin.settle(message, ABSENT)
    await put('b', true)
    expect(twin.standing.waiting).toBe(0)
    await put('a')
    expect(names(twin.sendAtAlarm())).toEqual(['a'])
  })

  it('is read again when she was put after the look at her object, and is then believed', async () => {
    twin.notify('a')
    const [first] = twin.sendAtAlarm()
    await put('a')
    twin.settle(first, ABSENT)
    const [second] = twin.sendAtAlarm()
    twin.settle(second, ABSENT)
    expect([twin.standing.waiting, wait()]).toEqual([0, DAY])
    expect(await twin.calls.readSiteState()).toMatchObject({ sellers: 0 })
  })

  it('stays as she is after the report of a late message', async () => {
    twin.notify('a')
    const [late] = twin.sendAtAlarm()
    const [second] = twin.sendAtAlarm()
    await put('a')
    twin.settle(second, PUT)
    twin.settle(late, ABSENT)
    expect(await twin.calls.readSiteState()).toMatchObject({ sellers: 1 })
    expect(twin.standing.waiting).toBe(0)
  })
})

describe('a notice of the low secret', () => {
  const name = (from: number, count: number): readonly string[] =>
    Array.from({ length: count }, (_, index) => `s${from + index}`)

  it.each([true, false])('names a bounded number of new sellers in a minute, queue: %s', (isQueue) => {
    twin.restart(isQueue)
    const accept = (sellers: readonly string[], more: object = {}): ReturnType<typeof twin.accept> =>
      twin.accept({ sellers, isBounded: true, ...more })
    twin.notify('known')
    expect(accept(name(0, MOST_STRANGERS - 1)).accepted).toBe(MOST_STRANGERS - 1)
    expect(accept(name(MOST_STRANGERS, 2), { id: 'last' }).accepted).toBe(2)
    const { last } = twin.standing
    expect(accept(['new'])).toMatchObject({ accepted: 0, isTooMuch: true })
    expect(twin.standing.last).toBe(last)
    // A repeat, sellers that were named before, and builders.
    expect(accept(name(MOST_STRANGERS, 2), { id: 'last' })).toEqual({
      accepted: 0,
      pending: MOST_STRANGERS + 2,
    })
    expect(accept(['known', 's0']).accepted).toBe(2)
    expect(accept(['a builder’s'], { isBounded: false }).accepted).toBe(1)
    twin.now += MINUTE
    expect(accept(['new']).accepted).toBe(1)
  })
})

describe('a setback', () => {
  it('of a page is tried again after its own growing delay, while others go on', () => {
    twin.notify('a', 'b')
    let [message] = twin.sendAtAlarm()
    for (const delay of [1, 2, 4]) {
      twin.settle(message, FAILED)
      const { at, setback } = twin.findOpen('a') ?? {}
      expect([(at ?? 0) - twin.now, setback?.attempts]).toEqual([delay * MINUTE, Math.log2(delay) + 1])
      twin.now = at ?? 0
      message = twin.send().find(({ name }) => name === 'a')
    }
    twin.settle(message, PUT)
    expect(twin.findOpen('a')).toBeNull()
  })

  it('is tried again sooner after a newer notice', () => {
    twin.notify('a')
    twin.settle(twin.sendAtAlarm()[0], FAILED)
    twin.notify('a')
    expect(wait()).toBe(2_000)
    expect(names(twin.sendAtAlarm())).toEqual(['a'])
  })

  it('of the guard is tried again within minutes, and at once after a release', () => {
    twin.notify('a')
    let [message] = twin.sendAtAlarm()
    for (let round = 0; round < 12; round += 1) {
      twin.settle(message, HELD)
      const before = twin.now
      ;[message] = twin.sendAtAlarm()
      expect(twin.now - before).toBeLessThanOrEqual(5 * MINUTE)
    }
    twin.settle(message, HELD)
    expect(wait()).toBe(5 * MINUTE)
    twin.take(retryHeld, null)
    expect(names(twin.send())).toEqual(['a'])
  })
})

describe('trouble', () => {
  it('lets all wait; one seller tries after growing delays, and the others follow when it succeeds', () => {
    twin.notify('a', 'b', 'c')
    const messages = twin.sendAtAlarm()
    for (const message of messages) twin.settle(message, TROUBLE)
    for (const delay of [2, 4, 8]) {
      expect(wait()).toBe(delay * SECOND)
      const probes = twin.sendAtAlarm()
      expect(probes).toHaveLength(1)
      twin.settle(probes[0], TROUBLE)
    }
    const [probe] = twin.sendAtAlarm()
    expect(twin.send()).toEqual([])
    twin.settle(probe, PUT)
    expect(twin.standing.trouble).toBeNull()
    expect(twin.send()).toHaveLength(2)
  })

  it('is not over because of a message that was sent before it', () => {
    twin.notify('a', 'b')
    const [a, b] = twin.sendAtAlarm()
    twin.now += 1
    twin.settle(a, TROUBLE)
    twin.settle(b, PUT)
    expect(twin.standing.trouble).toMatchObject({ reason: 'busy', tries: 1 })
  })

  it('waits as long as the source asks for, at most five minutes', () => {
    twin.notify('a')
    twin.settle(twin.sendAtAlarm()[0], { ...TROUBLE, retryAfter: 20 * SECOND })
    expect(wait()).toBe(20 * SECOND)
    twin.settle(twin.sendAtAlarm()[0], { ...TROUBLE, retryAfter: 60 * MINUTE })
    expect(wait()).toBe(5 * MINUTE)
  })

  it('that only one seller has met is tried by another one at once', () => {
    twin.notify('poor')
    for (let round = 0; round < 5; round += 1) twin.settle(twin.sendAtAlarm()[0], TROUBLE)
    twin.notify('other')
    expect(wait()).toBe(2 * SECOND)
    const [probe] = twin.sendAtAlarm()
    expect(probe?.name).toBe('other')
    expect(twin.send()).toEqual([])
    twin.settle(probe, PUT)
    expect(twin.standing.trouble).toBeNull()
    expect(names(twin.send())).toEqual(['poor'])
  })

  it('that another seller meets, too, lets all wait', () => {
    twin.notify('poor')
    twin.now += SECOND
    twin.notify('other', 'third')
    twin.settle(twin.sendAtAlarm()[0], TROUBLE)
    const probes = twin.sendAtAlarm()
    expect(names(probes)).toEqual(['other'])
    twin.settle(probes[0], TROUBLE)
    expect(wait()).toBe(4 * SECOND)
    expect(twin.send()).toEqual([])
  })

  it('that one seller meets again and again, and others do not, becomes a failure of its own', () => {
    twin.notify('poor')
    let [message] = twin.sendAtAlarm()
    for (let round = 0; round < 2; round += 1) {
      twin.notify('other')
      twin.settle(message, TROUBLE)
      const [probe] = twin.sendAtAlarm()
      expect(probe?.name).toBe('other')
      twin.settle(probe, PUT)
      ;[message] = twin.send()
    }
    twin.settle(message, TROUBLE)
    const { setback, at = 0 } = twin.findOpen('poor') ?? {}
    expect(setback).toMatchObject({ kind: 'failed', reason: 'busy' })
    expect(at - twin.now).toBe(MINUTE)
    expect(twin.standing.trouble).toBeNull()
  })
})

describe('sending', () => {
  it('gives at most 1,000 leases at a time', () => {
    twin.notify(...Array.from({ length: MAX_SENT + 10 }, (_, index) => `s${index}`))
    const messages = twin.sendAtAlarm()
    expect(messages).toHaveLength(MAX_SENT)
    expect(new Set(names(messages)).size).toBe(MAX_SENT)
    expect(twin.send()).toEqual([])
    twin.settle(messages[0], PUT)
    expect(twin.send()).toHaveLength(1)
  })

  it('does not send a new change behind all that is tried again', () => {
    twin.notify(...Array.from({ length: MAX_BEFORE_RETRIES + 10 }, (_, index) => `s${index}`))
    for (const message of twin.sendAtAlarm())
      twin.settle(message, { kind: 'held', reason: 'an emptied collection' })
    twin.now += MINUTE
    twin.notify('new')
    twin.now += MINUTE
    const messages = twin.send()
    expect([messages.length, messages[0]?.name]).toEqual([MAX_BEFORE_RETRIES, 'new'])
    expect(twin.changeTime).toBeGreaterThan(twin.now)
    twin.settle(messages[0], PUT)
    expect(twin.changeTime).toBeLessThanOrEqual(twin.now)
    expect(twin.send()).toHaveLength(1)
  })

  it('that the queue refuses is tried again after growing delays', () => {
    twin.notify('a', 'b')
    let messages = twin.sendAtAlarm()
    for (const delay of [2, 4]) {
      twin.take(takeBackMessages, { messages, reason: 'the queue is full' })
      expect(twin.standing).toMatchObject({ waiting: 2, sent: 0 })
      expect(wait()).toBe(delay * SECOND)
      messages = twin.sendAtAlarm()
      expect(messages).toHaveLength(1)
    }
    twin.settle(messages[0], PUT)
    expect(twin.send()).toHaveLength(1)
  })
})

describe('the first message of a change', () => {
  it('has its lease from the notice on, and is sent when the seller has been quiet', () => {
    twin.notify('a')
    const { at } = twin.findOpen('a') ?? {}
    expect(twin.findOpen('a')).toMatchObject({ phase: 'sent' })
    expect(twin.send()).toEqual([])
    twin.now += SECOND
    twin.notify('a')
    const [message] = twin.sendAtAlarm()
    expect(twin.now - (twin.findOpen('a')?.last ?? 0)).toBe(2 * SECOND)
    expect(message?.upTo).toBe(twin.findOpen('a')?.changed)
    expect(twin.findOpen('a')?.at).toBe((at ?? 0) + SECOND)
    expect(twin.send()).toEqual([])
  })

  it('is sent at the end of its lease if a restart forgot it', () => {
    twin.notify('a')
    const { at } = twin.findOpen('a') ?? {}
    twin.restart()
    expect(twin.changeTime).toBe(at)
    expect(twin.sendAtAlarm()).toMatchObject([{ name: 'a' }])
  })

  it('waits with all others for the end of a trouble', () => {
    twin.notify('a', 'b')
    const [first, second] = twin.sendAtAlarm()
    twin.notify('c')
    twin.settle(first, TROUBLE)
    twin.settle(second, TROUBLE)
    twin.now += 2 * SECOND
    expect(twin.send().map(({ name }) => name)).toEqual(['a'])
    expect(twin.findOpen('c')).toMatchObject({ phase: 'waiting', asked: null })
  })
})
