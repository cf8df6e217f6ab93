/** The audit log: who did what to the live site. A version that was put live without permission is recorded afterwards. */
import { beforeEach, describe, expect, it } from 'vitest'
import { CoordinatorTwin, START } from '../../../scripts/prove/coordinator/coordinator-twin.ts'
import { takePublishLease } from '../../support/edge/make-live.ts'

const MINUTE = 60_000
const ANA = 'ana@desk'

let twin: CoordinatorTwin
beforeEach(() => {
  twin = new CoordinatorTwin()
})

const begin = (version: string, sequence: number): string =>
  takePublishLease(twin, version, sequence, null, 'GitHub run 7')

const putLive = (version: string, sequence: number): void => void twin.published(begin(version, sequence))

const force = (version: string, sequence: number, at: number | null = null): object =>
  twin.forced({
    version,
    sequence,
    reason: 'the catalogue was empty',
    by: ANA,
    at: at === null ? null : new Date(at).toISOString(),
  })

const actions = (): readonly string[] => (twin.status(true).log ?? []).map(({ action }) => action)

describe('the log', () => {
  it('lists who published, held, released and rolled back, the newest first', () => {
    putLive('one', 1)
    twin.now += MINUTE
    twin.hold(null, 'prices are wrong', ANA)
    twin.hold({ version: 'zero', sequence: 0 }, 'prices are wrong', ANA)
    twin.release(ANA)
    const at = new Date(START + MINUTE).toISOString()
    const reason = 'prices are wrong'
    expect(twin.status(true).log).toEqual([
      { at, action: 'released', by: ANA, version: null, reason: null },
      { at, action: 'rolled-back', by: ANA, version: 'zero', reason },
      { at, action: 'held', by: ANA, version: null, reason },
      {
        at: new Date(START).toISOString(),
        action: 'published',
        by: 'GitHub run 7',
        version: 'one',
        reason: null,
      },
    ])
  })

  it('is part of the status only when it is asked for, and survives a restart', () => {
    putLive('one', 1)
    expect(twin.status().log).toBeNull()
    twin.restart()
    expect(actions()).toEqual(['published'])
  })

  it('has one entry for a call that is repeated', () => {
    const lease = begin('one', 1)
    for (let round = 0; round < 2; round += 1) twin.published(lease)
    for (let round = 0; round < 2; round += 1) twin.hold()
    for (let round = 0; round < 2; round += 1) twin.release()
    for (let round = 0; round < 2; round += 1) force('two', 2)
    expect(actions()).toEqual(['forced', 'released', 'held', 'published'])
  })

  it('has no entry for a publish that did not happen, and says when its outcome is unknown', () => {
    twin.published(begin('one', 1), false)
    expect(actions()).toEqual([])
    twin.published(begin('one', 1), null)
    expect(twin.status(true).log?.[0]?.reason).toContain('does not know')
  })

  it('keeps the last 200 entries', () => {
    for (let number = 1; number <= 205; number += 1) putLive(`v${number}`, number)
    const log = twin.status(true).log ?? []
    expect([log.length, log[0]?.version, log.at(-1)?.version]).toEqual([200, 'v205', 'v6'])
  })
})

describe('a version that was put live without permission', () => {
  it('is the live one, with its time, reason and author in the log', () => {
    putLive('one', 1)
    twin.now += 3 * MINUTE
    const at = twin.now - MINUTE
    force('two', 2, at)
    expect(twin.status(true)).toMatchObject({
      publishing: { live: { version: 'two', sequence: 2, at: new Date(at).toISOString() }, doubtful: null },
      log: [{ action: 'forced', by: ANA, version: 'two', reason: 'the catalogue was empty' }, {}],
    })
  })

  it('ends the lease of a publish, whose version may still go live', () => {
    putLive('one', 1)
    const lease = begin('three', 3)
    force('repair', 1)
    expect(twin.published(lease)).toBeNull()
    expect(twin.status().publishing).toMatchObject({ live: { version: 'repair' }, doubtful: 'three' })
    expect(twin.publish('two', 2)).toMatchObject({ refused: 'older' })
    expect(twin.publish('four', 4)).toMatchObject({ lease: expect.any(String) })
  })

  it('is followed by a build, since its pages may be older than the changes that were published', () => {
    putLive('one', 1)
    expect(twin.alarm).toBeNull()
    force('repair', 1)
    expect(twin.planDispatchAtAlarm()).not.toBeNull()
  })

  it('leaves a hold in force', () => {
    twin.hold()
    force('repair', 1)
    expect(twin.publish('four', 4)).toMatchObject({ refused: 'held' })
  })

  it('replaces nothing that went live after it', () => {
    const at = twin.now
    twin.now += MINUTE
    putLive('new', 9)
    twin.now += MINUTE
    force('repair', 1, at)
    expect(twin.status().publishing).toMatchObject({ live: { version: 'new' }, doubtful: null })
    force('later', 10, at)
    expect(twin.status().publishing).toMatchObject({ live: { version: 'new' }, doubtful: 'later' })
    expect(actions()).toEqual(['forced', 'forced', 'published'])
  })
})

describe('the status', () => {
  it('shows the last notice that named sellers, the last full read and the pictures that wait', () => {
    expect(twin.status()).toMatchObject({ lastNotice: null, lastFull: null, photos: null })
    twin.notify('a')
    twin.now += MINUTE
    twin.notifyFull()
    const claimed = twin.claim(null)
    const { lease, upTo } = { lease: claimed?.lease ?? '', upTo: claimed?.upTo ?? 0 }
    twin.report({ lease, upTo, failed: [], photos: 12 })
    const known = {
      lastNotice: new Date(START).toISOString(),
      lastFull: new Date(START + MINUTE).toISOString(),
    }
    expect(twin.status()).toMatchObject({ ...known, photos: 12 })
    const next = twin.claim(upTo)
    twin.report({ lease: next?.lease ?? '', upTo: next?.upTo ?? 0, failed: [] })
    expect(twin.status()).toMatchObject({ ...known, photos: 12 })
  })
})
