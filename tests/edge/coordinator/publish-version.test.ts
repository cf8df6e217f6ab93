/** Publishing: what is live is never replaced by something older. */
import { beforeEach, describe, expect, it } from 'vitest'
import { findStatusProblems } from '../../../src/domain/wire/status-problems.ts'
import { CoordinatorTwin, expectGranted } from './coordinator-twin.ts'

let twin: CoordinatorTwin
beforeEach(() => {
  twin = new CoordinatorTwin()
})

const GRANTED = { lease: expect.any(String), lasts: expect.any(Number) }

const refusedAs = (refused: string): object => ({ refused, reason: expect.any(String) })

function begin(version: string, sequence: number, base: string | null = null): string {
  const answer = twin.publish(version, sequence, base)
  if ('refused' in answer) throw new Error(`refused: ${answer.refused}`)
  return answer.lease
}

function putLive(version: string, sequence: number, base: string | null = null): void {
  twin.published(begin(version, sequence, base))
}

describe('a version goes live', () => {
  it('when it is the first, and when it is newer than what is live', () => {
    putLive('one', 0)
    putLive('two', 10)
    putLive('three', 11)
    expect(twin.status().publishing.live).toMatchObject({ version: 'three', sequence: 11 })
  })

  it('not when it is older, whatever it is built upon', () => {
    putLive('new', 10)
    expect(twin.publish('old', 9)).toEqual(refusedAs('older'))
    expect(twin.publish('old', 9, 'new')).toEqual(refusedAs('older'))
    expect(twin.publish('unknown', 0)).toEqual(refusedAs('older'))
    expect(twin.status().publishing.live?.version).toBe('new')
  })

  it('of the same sequence only when the state that it comes from published what is live', () => {
    putLive('one', 10)
    expect(twin.publish('foreign', 10)).toEqual(refusedAs('older'))
    expect(twin.publish('foreign', 10, 'zero')).toEqual(refusedAs('older'))
    expect(twin.publish('two', 10, 'one')).toEqual(GRANTED)
  })

  it('one at a time, and may be asked for twice', () => {
    const first = begin('one', 1)
    expect(twin.publish('two', 2)).toEqual(refusedAs('busy'))
    expect(twin.publish('one', 1)).toEqual(GRANTED)
    expect(twin.published(first)).toBeNull()
  })

  it('and that may be told twice', () => {
    const lease = begin('one', 1)
    expect([twin.published(lease), twin.published(lease)]).toEqual([{}, {}])
  })

  it('not when its publisher says that it could not be put live', () => {
    putLive('one', 1)
    twin.published(begin('two', 2), false)
    expect(twin.status().publishing).toMatchObject({ live: { version: 'one' }, doubtful: null })
    expect(twin.publish('other', 2)).toEqual(GRANTED)
  })
})

describe('a publisher that is not heard of any more', () => {
  beforeEach(() => {
    putLive('one', 1)
  })

  it('loses its lease, and what it may have put live counts as live', () => {
    const lease = begin('three', 3)
    twin.now += twin.settings.publishLease
    expect(twin.published(lease)).toBeNull()
    expect(twin.status().publishing).toMatchObject({ live: { version: 'one' }, doubtful: 'three' })
    expect(twin.publish('two', 2)).toEqual(refusedAs('older'))
    putLive('four', 4)
    expect(twin.status().publishing).toMatchObject({ live: { version: 'four' }, doubtful: null })
  })

  it('may try again, and so may one that does not know how it went', () => {
    twin.published(begin('three', 3), null)
    expect(twin.status().publishing.doubtful).toBe('three')
    expect(twin.publish('two', 2)).toEqual(refusedAs('older'))
    putLive('three', 3)
    expect(twin.status().publishing).toMatchObject({ live: { version: 'three' }, doubtful: null })
  })
})

describe('after a rollback', () => {
  beforeEach(() => {
    putLive('one', 1)
    putLive('two', 2)
    twin.hold({ version: 'one', sequence: 1 })
  })

  it('publishing is held until it is released', () => {
    expect(twin.status().publishing).toMatchObject({
      live: { version: 'one', sequence: 1 },
      held: { reason: 'rolled back' },
    })
    expect(twin.publish('three', 3)).toEqual(refusedAs('held'))
    twin.release()
    expect(twin.status().publishing.held).toBeNull()
    expect(twin.publish('three', 3)).toEqual(GRANTED)
  })

  it('no builder is started until then, and one is started after, though nothing changed', () => {
    const { lease, upTo } = expectGranted(twin.claim(null))
    twin.report({ lease, upTo, failed: [] })
    twin.notify('a')
    expect(twin.alarm).toBeNull()
    twin.release()
    expect(twin.wakeAtAlarm()).not.toBeNull()
  })

  it('a hold stands in the status as stuck once changes wait', () => {
    expect(findStatusProblems(twin.status())).toEqual([])
    twin.notify('a')
    expect(findStatusProblems(twin.status())).toEqual([
      expect.stringContaining('npm run deploy -- --release'),
    ])
  })

  it('a release without a hold changes nothing', () => {
    twin.release()
    const before = twin.standing
    twin.release()
    expect(twin.standing).toEqual(before)
  })
})

describe('a hold', () => {
  it('tells of a version that is being put live just then, and lets it end', () => {
    const lease = begin('one', 1)
    const until = new Date(twin.now + twin.settings.publishLease).toISOString()
    expect(twin.hold()).toEqual({ busyUntil: until })
    expect(twin.publish('two', 2)).toEqual(refusedAs('held'))
    twin.published(lease)
    expect(twin.hold()).toEqual({ busyUntil: null })
  })
})
