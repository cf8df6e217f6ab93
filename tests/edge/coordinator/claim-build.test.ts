/** Claims: one builder at a time, which receives every change that its state lacks. */
import { beforeEach, describe, expect, it } from 'vitest'
import { CoordinatorTwin, expectGranted, START } from '../../../scripts/prove/coordinator/coordinator-twin.ts'

let twin: CoordinatorTwin
beforeEach(() => {
  twin = new CoordinatorTwin()
})

/** Runs a whole build without failures. Returns the sequence that the builder has afterwards. */
function build(have: number | null): number {
  const { lease, upTo } = expectGranted(twin.claim(have))
  twin.report({ lease, upTo, failed: [] })
  return upTo
}

describe('a claim', () => {
  it('returns the sellers changed since the state of the builder, oldest change first', () => {
    twin.notify('early')
    const first = build(null)
    twin.notify('a', 'b')
    twin.now += 1
    twin.notify('a')
    expect(expectGranted(twin.claim(first)).sellers).toEqual(['b', 'a'])
  })

  it('returns every change that an older state lacks, even after builds by others', () => {
    const old = build(null)
    twin.notify('a')
    const newer = build(old)
    twin.now += 1
    twin.notify('b')
    build(newer)
    expect(expectGranted(twin.claim(old)).sellers).toEqual(['a', 'b'])
  })

  it.each([null, 0, START - 1, START + 1])(
    'hands out everything to a builder without a state, or with one that this coordinator never saw: %j',
    (have) => {
      expect(expectGranted(twin.claim(have)).sellers).toBe('all')
      expect(expectGranted(new CoordinatorTwin().claim(START)).sellers).toEqual([])
    },
  )

  it('requests a full read from each state older than the last one', () => {
    const before = build(null)
    twin.notifyFull()
    expect(expectGranted(twin.claim(before)).sellers).toBe('all')
    const { lease, upTo } = expectGranted(twin.claim(before))
    twin.report({ lease, upTo, failed: [] })
    expect(expectGranted(twin.claim(upTo)).sellers).toEqual([])
    twin.report({ lease: expectGranted(twin.claim(upTo)).lease, error: 'for another go' })
    expect(expectGranted(twin.claim(before)).sellers).toBe('all')
  })

  it('is refused to a second builder until the first has finished', () => {
    twin.notify('a')
    const { lease, upTo } = expectGranted(twin.claim(null, 'first'))
    expect(twin.claim(null, 'second')).toBeNull()
    twin.report({ lease, upTo, failed: [] })
    expect(twin.claim(null, 'second')).not.toBeNull()
  })

  it('repeated by the same builder returns the same lease, even after a restart of the object', () => {
    const have = build(null)
    twin.notify('a')
    const first = expectGranted(twin.claim(have))
    twin.now += 1_000
    twin.notify('b')
    twin.restart()
    const again = expectGranted(twin.claim(have))
    expect([again.lease, again.upTo]).toEqual([first.lease, first.upTo])
    expect(again.sellers).toEqual(expect.arrayContaining(['a']))
    twin.report({ lease: again.lease, upTo: again.upTo, failed: [] })
    expect(twin.status().pending).toBe(1)
    expect(twin.alarm).toBe(twin.now + twin.settings.quiet)
  })

  it('repeated by a builder that needs everything by now ends the lease of only some sellers', () => {
    const have = build(null)
    twin.notify('a')
    const first = expectGranted(twin.claim(have))
    twin.notifyFull()
    const again = expectGranted(twin.claim(have))
    expect([again.sellers, again.lease === first.lease, again.upTo > first.upTo]).toEqual([
      'all',
      false,
      true,
    ])
    expect(twin.renew(first.lease)).toBeNull()
    expect(twin.report({ lease: first.lease, upTo: first.upTo, failed: [] })).toBeNull()
    expect(twin.status()).toMatchObject({ full: true, pending: 1, running: { full: true } })
    expect(twin.report({ lease: again.lease, upTo: again.upTo, failed: [] })).toEqual({ pending: 0 })
    expect(twin.status()).toMatchObject({ full: false, result: { full: true } })
  })

  it('never shares its sequence with another build', () => {
    const numbers = [build(null)]
    for (let round = 0; round < 3; round += 1) numbers.push(build(numbers.at(-1) ?? null))
    expect(new Set(numbers).size).toBe(4)
  })
})

describe('a lease', () => {
  it('expires without renewal, and another builder gets the same sellers', () => {
    const have = build(null)
    twin.notify('a')
    const { lease } = expectGranted(twin.claim(have, 'first'))
    twin.now += twin.settings.lease - 1
    expect(twin.claim(have, 'second')).toBeNull()
    twin.now += 1
    expect(twin.renew(lease)).toBeNull()
    expect(expectGranted(twin.claim(have, 'second')).sellers).toEqual(['a'])
  })

  it('lasts as long as it is renewed', () => {
    twin.notify('a')
    const { lease, upTo } = expectGranted(twin.claim(null, 'first'))
    for (let round = 0; round < 5; round += 1) {
      twin.now += twin.settings.lease - 1
      const until = new Date(twin.now + twin.settings.lease).toISOString()
      expect(twin.renew(lease)).toEqual({ until })
      expect(twin.claim(null, 'second')).toBeNull()
    }
    expect(twin.report({ lease, upTo, failed: [] })).toEqual({ pending: 0 })
  })

  it('cannot be renewed when it is unknown', () => {
    expect(twin.renew('lease-0')).toBeNull()
    twin.claim(null)
    expect(twin.renew('lease-0')).toBeNull()
  })
})
