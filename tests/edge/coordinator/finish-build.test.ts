/** Reports: published sellers are done, failed sellers are retried alone, a failed build leaves everything pending. */
import { beforeEach, describe, expect, it } from 'vitest'
import { CoordinatorTwin, expectGranted, START } from '../../../scripts/prove/coordinator/coordinator-twin.ts'

const MINUTE = 60_000

let twin: CoordinatorTwin
let have: number
beforeEach(() => {
  twin = new CoordinatorTwin()
  have = finish([], null)
})

/** Claims and reports. Returns the sequence that the builder has afterwards. */
function finish(failed: readonly string[], from: number | null = have): number {
  const { lease, upTo } = expectGranted(twin.claim(from))
  twin.report({ lease, upTo, failed: failed.map((seller) => ({ seller, reason: 'broken' })) })
  return upTo
}

describe('a report', () => {
  it('leaves only changes since the claim pending', () => {
    twin.notify('a', 'b')
    const { lease, upTo } = expectGranted(twin.claim(have))
    twin.now += 1
    twin.notify('b')
    expect(twin.report({ lease, upTo, failed: [] })).toEqual({ pending: 1 })
    expect(expectGranted(twin.claim(upTo)).sellers).toEqual(['b'])
  })

  it('lets its sellers count as pending again once they change', () => {
    twin.notify('a', 'b')
    have = finish([])
    expect(twin.notify('a')).toEqual({ accepted: 1, pending: 1 })
  })

  it('may be repeated', () => {
    twin.notify('a')
    const { lease, upTo } = expectGranted(twin.claim(have))
    expect(twin.report({ lease, upTo, failed: [] })).toEqual({ pending: 0 })
    expect(twin.report({ lease, upTo, failed: [] })).toEqual({ pending: 0 })
    twin.claim(upTo, 'another')
    expect(twin.report({ lease, upTo, failed: [] })).toEqual({ pending: 0 })
    expect(twin.status().running?.builder).toBe('another')
  })

  it('is refused when it is late, belongs to another build, or names an unknown lease', () => {
    twin.notify('a')
    const { lease, upTo } = expectGranted(twin.claim(have))
    expect(twin.report({ lease, upTo: upTo - 1, failed: [] })).toBeNull()
    expect(twin.report({ lease: 'lease-0', upTo, failed: [] })).toBeNull()
    twin.now += twin.settings.lease
    expect(twin.report({ lease, upTo, failed: [] })).toBeNull()
    twin.planDispatch()
    expect(twin.report({ lease, upTo, failed: [] })).toBeNull()
    expect(twin.status().pending).toBe(1)
  })

  it('of an error leaves everything pending, to be retried after a growing delay', () => {
    twin.notify('a')
    const { first, longest } = twin.settings.buildRetry
    for (const delay of [first, 2 * first, 4 * first]) {
      const { lease } = expectGranted(twin.claim(have))
      expect(twin.report({ lease, error: 'the source is down' })).toEqual({ pending: 1 })
      expect(twin.alarm).toBe(twin.now + delay)
      expect(twin.status().result?.error).toBe('the source is down')
      twin.planDispatchAtAlarm()
    }
    for (let round = 0; round < 20; round += 1) {
      const { lease } = expectGranted(twin.claim(have))
      twin.report({ lease, error: 'the source is down' })
    }
    expect(twin.alarm).toBe(twin.now + longest)
    have = finish([])
    expect(twin.status()).toMatchObject({ setbacks: 0, pending: 0, result: { error: null } })
    twin.notify('b')
    expect(twin.alarm).toBe(twin.now + twin.settings.quiet)
  })
})

describe('a full read', () => {
  it('that is asked for during another one is still to be done after it', () => {
    twin.notifyFull()
    const { lease, upTo } = expectGranted(twin.claim(have))
    twin.now += 1
    twin.notifyFull()
    twin.report({ lease, upTo, failed: [] })
    expect(twin.status()).toMatchObject({ full: true, waiting: true })
    expect(expectGranted(twin.claim(upTo)).sellers).toBe('all')
    have = finish([], upTo)
    expect(twin.status().full).toBe(false)
  })
})

describe('a build that came to nothing', () => {
  it('is done again even if no change was pending, since it may have published', () => {
    const { lease } = expectGranted(twin.claim(have))
    twin.report({ lease, error: 'its report was lost' })
    expect(twin.alarm).toBe(twin.now + twin.settings.buildRetry.first)
    expectGranted(twin.claim(have))
    twin.now += twin.settings.lease
    twin.planDispatch()
    expect(twin.status().waiting).toBe(true)
  })
})

describe('the pause after many builds that came to nothing', () => {
  const MAX_PAUSE = 5 * MINUTE

  beforeEach(() => {
    twin.notify('a')
    for (let round = 0; round < 8; round += 1) {
      twin.report({ lease: expectGranted(twin.claim(have)).lease, error: 'the source is down' })
    }
  })

  it('is half an hour', () => {
    expect(twin.alarm).toBe(twin.now + twin.settings.buildRetry.longest)
  })

  it('is ended by a request for a full read', () => {
    twin.now += MINUTE
    twin.notifyFull()
    expect(twin.alarm).toBe(twin.now)
  })

  it('is ended by a later change, but for a few minutes after the last build', () => {
    const failed = twin.now
    twin.now += MINUTE
    twin.notify('b')
    expect(twin.alarm).toBe(failed + MAX_PAUSE)
    twin.now = failed + 10 * MINUTE
    twin.notify('c')
    expect(twin.planDispatchAtAlarm()).not.toBeNull()
    expect(twin.now).toBeLessThanOrEqual(failed + 10 * MINUTE + twin.settings.quiet)
  })

  it('is not ended by a repeated delivery', () => {
    const notice = { id: 'same', sellers: ['a'], isFull: true }
    twin.accept(notice)
    twin.report({ lease: expectGranted(twin.claim(have)).lease, error: 'the source is down' })
    twin.accept(notice)
    expect(twin.alarm).toBe(twin.now + twin.settings.buildRetry.longest)
  })
})

describe('a seller that fails', () => {
  beforeEach(() => {
    twin.notify('bad', 'good')
    have = finish(['bad'])
  })

  it('stays pending alone, and is retried after growing delays', () => {
    const delays: number[] = []
    for (let round = 0; round < 12; round += 1) {
      expect(twin.status()).toMatchObject({
        pending: 1,
        failed: 1,
        oldest: new Date(START).toISOString(),
      })
      delays.push((twin.alarm ?? 0) - twin.now)
      expect(twin.planDispatchAtAlarm()).not.toBeNull()
      expect(expectGranted(twin.claim(have)).sellers).toEqual(['bad'])
      have = finish(['bad'])
    }
    expect(delays.slice(0, 4)).toEqual([MINUTE, 2 * MINUTE, 4 * MINUTE, 8 * MINUTE])
    expect(delays.at(-1)).toBe(6 * 60 * MINUTE)
    expect(twin.status().failures[0]).toMatchObject({ seller: 'bad', reason: 'broken', attempts: 13 })
  })

  it('delays no other seller, and joins no build before its retry time', () => {
    twin.notify('other')
    expect(twin.alarm).toBe(twin.now + twin.settings.quiet)
    expect(expectGranted(twin.claim(have)).sellers).toEqual(['other'])
    have = finish([])
    expect(twin.status()).toMatchObject({ pending: 1, failed: 1 })
  })

  it('keeps its retry time when a builder reports it early', () => {
    const { alarm } = twin
    twin.notify('other')
    have = finish(['bad'])
    expect(twin.status()).toMatchObject({ pending: 1, failures: [{ seller: 'bad', attempts: 1 }] })
    expect(twin.alarm).toBe(alarm)
  })

  it('is retried at once when it changes', () => {
    twin.notify('bad')
    expect(twin.status().pending).toBe(1)
    expect(twin.alarm).toBe(twin.now + twin.settings.quiet)
    expect(expectGranted(twin.claim(have)).sellers).toEqual(['bad'])
    have = finish([])
    expect(twin.status()).toMatchObject({ pending: 0, failed: 0, oldest: null })
    expect(twin.alarm).toBeNull()
  })

  it('stays pending when it recovers but changed during the build', () => {
    twin.now += MINUTE
    const { lease, upTo } = expectGranted(twin.claim(have))
    twin.now += 1
    twin.notify('bad')
    expect(twin.report({ lease, upTo, failed: [] })).toEqual({ pending: 1 })
    expect(twin.status().failed).toBe(0)
    expect(expectGranted(twin.claim(upTo)).sellers).toEqual(['bad'])
  })

  it('is part of a claim by an older state once it has recovered', () => {
    const lacking = have
    twin.now += MINUTE
    have = finish([])
    expect(twin.status().failed).toBe(0)
    expect(expectGranted(twin.claim(have)).sellers).toEqual([])
    expect(expectGranted(twin.claim(lacking)).sellers).toEqual(['bad'])
  })

  it('that fails in a full read without a notice is kept, and recovers with the next build', () => {
    twin.notifyFull()
    have = finish(['bad', 'unheard'])
    expect(twin.status()).toMatchObject({ pending: 2, failed: 2 })
    twin.notifyFull()
    have = finish([])
    expect(twin.status()).toMatchObject({ pending: 0, failed: 0 })
  })
})

describe('a seller who does not exist', () => {
  const list = (of: 'all' | 'strangers'): readonly unknown[] =>
    twin.database
      .prepare(`SELECT seller FROM feed ${of === 'all' ? '' : 'WHERE stranger IS NOT NULL'} ORDER BY seller`)
      .all()
      .map(({ seller }) => seller)

  /** A build whose source has none but these. Returns the sellers of whom it was asked. */
  function meet(...existing: readonly string[]): readonly string[] {
    const { lease, upTo, strangers } = expectGranted(twin.claim(have))
    const numbers = (isKnown: boolean): readonly number[] =>
      strangers.flatMap(({ number, seller }) => (existing.includes(seller) === isKnown ? [number] : []))
    twin.report({ lease, upTo, failed: [], strangers: { known: numbers(true), absent: numbers(false) } })
    have = upTo
    return strangers.map(({ seller }) => seller)
  }

  beforeEach(() => {
    twin.notify('invented', 'real')
  })

  it('leaves no row after the next full read', () => {
    expect(meet('real')).toEqual(['invented', 'real'])
    expect(meet('real')).toEqual([])
    twin.notifyFull()
    expect(list('all')).toEqual(['invented', 'real'])
    meet('real')
    expect([list('all'), list('strangers')]).toEqual([['real'], []])
  })

  it('leaves none if a full read is the first to miss her', () => {
    twin.notifyFull()
    expect(meet('real')).toEqual(['invented', 'real'])
    expect([list('all'), list('strangers')]).toEqual([['real'], []])
  })

  it('is given to each older state until then', () => {
    const before = have
    meet('real')
    expect(expectGranted(twin.claim(before)).sellers).toEqual(['invented', 'real'])
    twin.notifyFull()
    meet('real')
    expect(expectGranted(twin.claim(before)).sellers).toBe('all')
  })

  it('is read again when a notice names her during the full read, or later', () => {
    meet('real')
    twin.notifyFull()
    const { lease, upTo } = expectGranted(twin.claim(have))
    twin.now += 1
    twin.notify('invented')
    twin.report({ lease, upTo, failed: [] })
    expect(expectGranted(twin.claim(upTo)).sellers).toEqual(['invented'])
    have = finish([], upTo)
    twin.notifyFull()
    meet('real')
    twin.notify('invented')
    expect(expectGranted(twin.claim(have)).sellers).toEqual(['invented'])
    expect(meet('real', 'invented')).toEqual(['invented'])
    expect([list('all'), list('strangers')]).toEqual([['invented', 'real'], []])
  })

  it('is asked for again after a build that failed or did not report', () => {
    twin.report({ lease: expectGranted(twin.claim(have)).lease, error: 'the source is down' })
    have = finish([])
    expect(meet('real')).toEqual(['invented', 'real'])
  })

  it('is kept as long as she fails', () => {
    have = finish(['invented'])
    twin.notifyFull()
    const { lease, upTo, strangers } = expectGranted(twin.claim(have))
    const absent = strangers.map(({ number }) => number)
    const failed = [{ seller: 'invented', reason: 'it cannot be stored' }]
    twin.report({ lease, upTo, failed, strangers: { known: [], absent } })
    expect(list('all')).toEqual(['invented'])
    twin.notifyFull()
    have = finish([], upTo)
    expect([list('all'), list('strangers')]).toEqual([[], []])
  })
})
