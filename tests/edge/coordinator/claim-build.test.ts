/** Claims: one builder at a time, and everything that its state lacks. */
import { beforeEach, describe, expect, it } from 'vitest'
import { CoordinatorTwin, expectGranted, START } from './coordinator-twin.ts'

let twin: CoordinatorTwin
beforeEach(() => {
  twin = new CoordinatorTwin()
})

/** A whole build without failures. Answers what the builder has then. */
function build(have: number | null): number {
  const { lease, upTo } = expectGranted(twin.claim(have))
  twin.report({ lease, upTo, failed: [] })
  return upTo
}

describe('a claim', () => {
  it('hands out the sellers that changed since the state of the builder, the oldest change first', () => {
    twin.notify('early')
    const first = build(null)
    twin.notify('a', 'b')
    twin.now += 1
    twin.notify('a')
    expect(expectGranted(twin.claim(first)).sellers).toEqual(['b', 'a'])
  })

  it('hands out all that an older state lacks, however often it was built since', () => {
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

  it('hands out everything to every state that is older than a full read', () => {
    const before = build(null)
    twin.notifyFull()
    expect(expectGranted(twin.claim(before)).sellers).toBe('all')
    const { lease, upTo } = expectGranted(twin.claim(before))
    twin.report({ lease, upTo, failed: [] })
    expect(expectGranted(twin.claim(upTo)).sellers).toEqual([])
    twin.report({ lease: expectGranted(twin.claim(upTo)).lease, error: 'for another go' })
    expect(expectGranted(twin.claim(before)).sellers).toBe('all')
  })

  it('is refused to a second builder until the first has ended', () => {
    twin.notify('a')
    const { lease, upTo } = expectGranted(twin.claim(null, 'first'))
    expect(twin.claim(null, 'second')).toBeNull()
    twin.report({ lease, upTo, failed: [] })
    expect(twin.claim(null, 'second')).not.toBeNull()
  })

  it('by the same builder again gives the same lease, also after a restart of the object', () => {
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

  it('never has the number of another build', () => {
    const numbers = [build(null)]
    for (let round = 0; round < 3; round += 1) numbers.push(build(numbers.at(-1) ?? null))
    expect(new Set(numbers).size).toBe(4)
  })
})

describe('a lease', () => {
  it('ends when it is not renewed, and another builder gets the same sellers', () => {
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

  it('that is unknown cannot be renewed', () => {
    expect(twin.renew('lease-0')).toBeNull()
    twin.claim(null)
    expect(twin.renew('lease-0')).toBeNull()
  })
})
