/** Notices: each counts once, and a pending seller counts once. */
import { beforeEach, describe, expect, it } from 'vitest'
import { CoordinatorTwin, START } from '../../../scripts/prove/coordinator/coordinator-twin.ts'

const DAY = 24 * 60 * 60_000

let twin: CoordinatorTwin
beforeEach(() => {
  twin = new CoordinatorTwin()
})

describe('a notice', () => {
  it('returns the count of its sellers and of all pending ones', () => {
    expect(twin.notify('a', 'b')).toEqual({ accepted: 2, pending: 2 })
    expect(twin.notify('b', 'c')).toEqual({ accepted: 2, pending: 3 })
    expect(twin.notifyFull()).toEqual({ accepted: 1, pending: 3 })
  })

  it('changes nothing when it is repeated within a day', () => {
    const notice = { id: 'same', sellers: ['a'], isFull: false }
    expect(twin.accept(notice)).toEqual({ accepted: 1, pending: 1 })
    const { last } = twin.standing
    twin.now += DAY
    expect(twin.accept(notice)).toEqual({ accepted: 0, pending: 1 })
    expect(twin.standing.last).toBe(last)
    twin.accept({ id: 'other', sellers: ['a'], isFull: false })
    expect(twin.accept(notice)).toEqual({ accepted: 0, pending: 1 })
    twin.now += DAY
    twin.notify('b')
    expect(twin.accept(notice).accepted).toBe(1)
  })

  it('keeps the age of the oldest pending change', () => {
    twin.notify('a')
    twin.now += DAY
    twin.notify('a', 'b')
    expect(twin.status().oldest).toBe(new Date(START).toISOString())
  })

  it('gets a sequence greater than any before, even if the clock goes back', () => {
    const sequences: number[] = [twin.standing.last]
    for (const step of [0, 0, 5, -1_000, 0, 2_000]) {
      twin.now += step
      twin.notify('a')
      sequences.push(twin.standing.last)
    }
    expect(new Set(sequences).size).toBe(sequences.length)
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b))
    expect(twin.ledger.read((ledger) => ledger.findRow('a')?.changed)).toBe(twin.standing.last)
  })

  it('starts no build when none of its sellers can have a page', () => {
    expect(twin.notify()).toEqual({ accepted: 0, pending: 0 })
    expect(twin.alarm).toBeNull()
    expect(twin.status()).toMatchObject({ oldest: null, waiting: false })
  })

  it('survives a restart of the process', () => {
    twin.notify('a', '__proto__')
    twin.restart()
    expect(twin.status()).toMatchObject({ pending: 2, waiting: true, oldest: new Date(START).toISOString() })
    expect(twin.listChanged(0)).toEqual(['__proto__', 'a'])
  })
})
