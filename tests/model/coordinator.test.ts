/**
 * Random stories around the coordinator, and one story for each rule that random ones seldom need. `VITRINA_STORIES`
 * and `VITRINA_SEED` choose how many and which.
 */
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Ledger } from '../../src/edge/coordinator/ledger.ts'
import type { DispatchOutcome } from '../../src/edge/coordinator/schedule.ts'
import { openLedger } from '../../src/edge/coordinator/sql-ledger.ts'
import { openSql } from '../support/edge/open-sql.ts'
import { CoordinatorModel } from './coordinator/coordinator-model.ts'
import { createMemoryLedger } from './coordinator/memory-ledger.ts'
import type { Story } from './coordinator/play.ts'
import { EVENTS, playStory } from './coordinator/play.ts'

const STORIES = Number(process.env['VITRINA_STORIES'] ?? 300)
const SEED = Number(process.env['VITRINA_SEED'] ?? 1)

const EVENT = fc.oneof(
  { withCrossShrink: true },
  ...(Object.keys(EVENTS) as (keyof typeof EVENTS)[]).map((event) => ({
    weight: EVENTS[event],
    arbitrary: fc.constant(event),
  })),
)
const HAPPENING = fc.record({ event: EVENT, builder: fc.nat(2), seller: fc.nat(3) })
const STORY: fc.Arbitrary<Story> = fc.record({
  isBucket: fc.boolean(),
  happenings: fc.array(HAPPENING, { minLength: 150, maxLength: 150 }),
  chance: fc.integer(),
})

const openDatabase = (now: number): Ledger => openLedger(openSql(new DatabaseSync(':memory:')), now)

/** Returns the last steps of the story and the promise that it breaks; `null` if it breaks none. */
function findBrokenPromise(story: Story, open: (now: number) => Ledger): string | null {
  const lines: string[] = []
  try {
    playStory(story, open, (line) => lines.push(line))
    return null
  } catch (error) {
    return [...lines.slice(-40), String(error)].join('\n')
  }
}

describe('random stories', () => {
  it.each([
    ['in memory', createMemoryLedger, STORIES],
    ['in the database', openDatabase, Math.min(STORIES, 20)],
  ] as const)(
    'lose no acknowledged change, put no older site over a newer one, and publish nothing while held: %s',
    (_, open, numRuns) => {
      const result = fc.check(
        fc.property(STORY, (story) => findBrokenPromise(story, open) === null),
        // In the database a shorter story would take minutes to find.
        { numRuns, seed: SEED, endOnFailure: open === openDatabase },
      )
      const [story] = result.counterexample ?? []
      const broken = story && findBrokenPromise(story, open)
      expect(broken, `failed after ${result.numRuns} stories`).toBeUndefined()
    },
  )
})

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const START = 1_800_000_000_000
const SETTINGS = { quiet: 2_000, longestWait: 30_000, maxRows: 20_000 }

/** A coordinator whose first build has ended, and which has been at rest for a minute. */
function createRested(): {
  model: CoordinatorModel
  time: { now: number; live: string | null }
  have: number
} {
  const time: { now: number; live: string | null } = { now: START, live: 'first' }
  const model = new CoordinatorModel({
    clock: () => time.now,
    openLedger: openDatabase,
    readLive: () => time.live,
    settings: SETTINGS,
  })
  const { upTo: have } = claim(model, 'first', null)
  model.done('first', { upTo: have, marker: 'first', failed: [] })
  time.now += MINUTE
  return { model, time, have }
}

function claim(
  model: CoordinatorModel,
  token: string,
  have: number | null,
): { readonly upTo: number; readonly sellers: readonly string[] | 'everything' } {
  const granted = model.claim(token, have)
  if (!('upTo' in granted)) throw new Error(`refused: ${JSON.stringify(granted)}`)
  return { upTo: granted.upTo, sellers: 'full' in granted ? 'everything' : [...granted.sellers].sort() }
}

function finish(
  model: CoordinatorModel,
  token: string,
  upTo: number,
  failed: readonly string[] = [],
): unknown {
  const reasons = failed.map((seller) => ({ seller, reason: 'throws' }))
  return model.done(token, { upTo, marker: 'first', failed: reasons })
}

/** Rings the alarm whenever it is due, until a builder is started; returns how long it took, `null` for a day. */
function findStart(
  model: CoordinatorModel,
  time: { now: number },
  outcome: DispatchOutcome = { isSent: true, patience: MINUTE },
): number | null {
  const begin = time.now
  const starts: number[] = []
  const start = (): DispatchOutcome => {
    starts.push(time.now)
    return outcome
  }
  for (let alarms = 0; starts.length === 0 && time.now < begin + DAY; alarms += 1) {
    if (alarms > 1_000) throw new Error('the alarm comes again and again')
    time.now = Math.max(model.alarm, time.now)
    model.ring(start)
  }
  return starts.length > 0 ? time.now - begin : null
}

describe('the coordinator', () => {
  it('starts a builder when no change has come for two seconds, and at the latest after thirty', () => {
    const { model, time } = createRested()
    model.notice({ sellers: ['ana'] })
    expect(findStart(model, time)).toBe(2_000)
    claim(model, 'token', 0)
    finish(model, 'token', claim(model, 'token', 0).upTo)
    for (let second = 0; second < 30; second += 1, time.now += 1_000) model.notice({ sellers: ['ana'] })
    expect(findStart(model, time)).toBe(0)
  })

  it('starts a builder by itself when it is new, since another one may have been lost', () => {
    const time = { now: START }
    const options = { clock: () => time.now, readLive: () => null, settings: SETTINGS }
    expect(findStart(new CoordinatorModel({ ...options, openLedger: openDatabase }), time)).toBe(2_000)
  })

  it('starts another build for a change that comes while one works', () => {
    const { model, time, have } = createRested()
    model.notice({ sellers: ['ana'] })
    const { upTo } = claim(model, 'token', have)
    time.now += 1
    model.notice({ sellers: ['ana', 'eva'] })
    expect(finish(model, 'token', upTo)).toEqual({ waiting: 2 })
    expect(findStart(model, time)).toBe(2_000)
    expect(claim(model, 'next', upTo).sellers).toEqual(['ana', 'eva'])
  })

  it('starts no builder when nothing waits', () => {
    const { model, time } = createRested()
    expect(findStart(model, time)).toBeNull()
  })

  it('gives a builder with an older state all that it lacks, after another one has published', () => {
    const { model, time, have } = createRested()
    model.notice({ sellers: ['ana'] })
    const { upTo } = claim(model, 'token', have)
    finish(model, 'token', upTo)
    time.now += MINUTE
    expect(claim(model, 'newer', upTo).sellers).toEqual([])
    finish(model, 'newer', claim(model, 'newer', upTo).upTo)
    expect(claim(model, 'older', have).sellers).toEqual(['ana'])
  })

  it.each<[string, (rested: ReturnType<typeof createRested>) => number | null]>([
    ['that has no state', () => null],
    [
      'whose state is of another coordinator, which was lost',
      ({ model, time, have }) => ((time.now += MINUTE), model.lose(), have),
    ],
    ['whose state is of a coordinator whose clock was ahead', ({ time }) => time.now + 60 * MINUTE],
    [
      'whose state is older than the last demand for everything, which another one has read',
      ({ model, have }) => {
        model.notice({ sellers: ['ana'] })
        model.notice({ full: true })
        finish(model, 'token', claim(model, 'token', have).upTo)
        return have
      },
    ],
    [
      'that lacks more than 10,000 sellers',
      ({ model, have }) => {
        for (let first = 0; first < 10_001; first += 1_000)
          model.notice({ sellers: Array.from({ length: 1_000 }, (_, index) => `s${first + index}`) })
        return have
      },
    ],
  ])('gives everything to a builder %s', (_, prepare) => {
    const rested = createRested()
    const have = prepare(rested)
    expect(claim(rested.model, 'builder', have).sellers).toBe('everything')
  })

  it('asks for everything when there are more than 20,000 rows, at most each ten minutes', () => {
    const { model, time, have } = createRested()
    const fill = (): number => {
      for (let notices = 1; ; notices += 1) {
        const sellers = Array.from({ length: 1_000 }, (_, index) => `s${notices}-${index}`)
        if (model.notice({ sellers }) === null) return notices
        if (notices > 100) throw new Error('there is no end')
      }
    }
    expect(fill()).toBe(43)
    expect(claim(model, 'token', have).sellers).toBe('everything')
    time.now += 10 * MINUTE
    expect(model.notice({ sellers: ['ana'] })).not.toBeNull()
    expect(model.ledger.isLarger(0)).toBe(false)
  })

  it('counts nothing as waiting after a build of all changes, although the clock was put back', () => {
    const { model, time, have } = createRested()
    model.notice({ sellers: ['ana'] })
    time.now -= MINUTE / 2
    expect(finish(model, 'token', claim(model, 'token', have).upTo)).toEqual({ waiting: 0 })
  })

  it('has one lease: another builder is told until when it runs', () => {
    const { model, time, have } = createRested()
    claim(model, 'token', have)
    expect(model.claim('other', have)).toEqual({ busy: new Date(time.now + 2 * MINUTE).toISOString() })
    time.now += 2 * MINUTE - 1
    expect(model.renew('other')).toBe(false)
    expect(model.renew('token')).toBe(true)
    time.now += 2 * MINUTE
    expect(model.renew('token')).toBe(false)
    expect(claim(model, 'other', have).sellers).toEqual([])
  })

  it('gives a repeated claim the same lease and sequence, though a change came in between', () => {
    const { model, time, have } = createRested()
    const { upTo } = claim(model, 'token', have)
    time.now += 1
    model.notice({ sellers: ['ana'] })
    expect(claim(model, 'token', have)).toEqual({ upTo, sellers: ['ana'] })
    expect(finish(model, 'token', upTo)).toEqual({ waiting: 1 })
    expect(findStart(model, time)).toBe(2_000)
  })

  it('grants nothing to a claim that comes after its own report', () => {
    const { model, have } = createRested()
    finish(model, 'token', claim(model, 'token', have).upTo)
    expect(model.claim('token', have)).toHaveProperty('busy')
  })

  it('clears nothing by a report whose lease ran out, and was granted again to a claim that came late', () => {
    const { model, time, have } = createRested()
    const { upTo } = claim(model, 'token', have)
    model.notice({ sellers: ['ana'] })
    time.now += 2 * MINUTE
    claim(model, 'token', have)
    expect(finish(model, 'token', upTo)).toBeNull()
    expect(findStart(model, time)).not.toBeNull()
    expect(claim(model, 'next', upTo).sellers).toEqual(['ana'])
  })

  it.each<[string, (model: CoordinatorModel, time: { now: number }, upTo: number) => unknown]>([
    ['dies', (_, time) => (time.now += 2 * MINUTE)],
    ['reports an error', (model) => model.done('token', { error: 'the disk is full' })],
    [
      'reports too late',
      (model, time, upTo) => {
        time.now += 2 * MINUTE
        expect(finish(model, 'token', upTo)).toBeNull()
      },
    ],
  ])('starts another builder when one %s, and gives it the same sellers', (_, end) => {
    const { model, time, have } = createRested()
    model.notice({ sellers: ['ana'] })
    end(model, time, claim(model, 'token', have).upTo)
    expect(findStart(model, time)).not.toBeNull()
    expect(claim(model, 'next', have).sellers).toEqual(['ana'])
  })

  it('starts another builder by itself when one dies that was started for no change', () => {
    const { model, time, have } = createRested()
    model.hold()
    model.release()
    claim(model, 'token', have)
    expect(findStart(model, time)).toBe(2 * MINUTE + 30_000)
  })

  it('pauses longer after each failed build, until someone asks for everything', () => {
    const { model, time, have } = createRested()
    const pauses = ['one', 'two', 'three'].map((token) => {
      claim(model, token, have)
      model.done(token, { error: 'it fails' })
      return findStart(model, time)
    })
    expect(pauses).toEqual([30_000, 60_000, 120_000])
    claim(model, 'four', have)
    model.done('four', { error: 'it fails' })
    model.notice({ full: true })
    expect(findStart(model, time)).toBe(2_000)
  })

  it('answers a repeated report alike, and lets it clear nothing more', () => {
    const { model, time, have } = createRested()
    const { upTo } = claim(model, 'token', have)
    finish(model, 'token', upTo)
    time.now += 1
    model.notice({ sellers: ['ana'] })
    expect(finish(model, 'token', upTo)).toEqual({ waiting: 1 })
  })

  it('has failed pages tried again after a growing pause, which builds of other sellers leave as it is', () => {
    const { model, time, have } = createRested()
    model.notice({ sellers: ['ana'] })
    const first = claim(model, 'one', have).upTo
    finish(model, 'one', first, ['ana'])
    expect(findStart(model, time)).toBe(MINUTE)
    const second = claim(model, 'two', first)
    expect(second.sellers).toEqual(['ana'])
    finish(model, 'two', second.upTo, ['ana'])
    time.now += MINUTE
    model.notice({ sellers: ['eva'] })
    const third = claim(model, 'three', second.upTo)
    expect(third.sellers).toEqual(['eva'])
    finish(model, 'three', third.upTo, ['ana'])
    expect(findStart(model, time)).toBe(MINUTE)
    const fourth = claim(model, 'four', third.upTo)
    expect(fourth.sellers).toEqual(['ana'])
    finish(model, 'four', fourth.upTo)
    expect(findStart(model, time)).toBeNull()
  })

  it('has a failed seller tried again whose row has gone', () => {
    const { model, time, have } = createRested()
    model.notice({ full: true })
    finish(model, 'token', claim(model, 'token', have).upTo, ['ana'])
    expect(findStart(model, time)).toBe(MINUTE)
  })

  it('refuses claims and renewals while publishing is held, and starts a builder after it', () => {
    const { model, time, have } = createRested()
    claim(model, 'token', have)
    model.hold()
    expect(model.renew('token')).toBe(false)
    time.now += 2 * MINUTE
    model.notice({ sellers: ['ana'] })
    expect(model.claim('next', have)).toEqual({ held: 'held' })
    expect(findStart(model, time)).toBeNull()
    model.release()
    expect(findStart(model, time)).not.toBeNull()
  })

  it('starts a builder when two looks find another site than the reported one, but not while held', () => {
    const { model, time } = createRested()
    time.live = 'older'
    model.hold()
    expect(findStart(model, time)).toBeNull()
    time.live = 'first'
    model.release()
    expect(findStart(model, time)).toBe(2_000)
    finish(model, 'token', claim(model, 'token', null).upTo)
    time.live = null
    model.ring(() => ({ isSent: true, patience: 0 }))
    expect(findStart(model, time)).toBe(32_000)
  })

  it('starts no builder for a site that is late by less than half a minute', () => {
    const { model, time } = createRested()
    const { upTo } = claim(model, 'token', null)
    model.done('token', { upTo, marker: 'second', failed: [] })
    time.now += 20_000
    time.live = 'second'
    expect(findStart(model, time)).toBeNull()
  })

  it('starts a builder again after a pause, but not at once, if the object ends right after a start', () => {
    const { model, time } = createRested()
    model.notice({ sellers: ['ana'] })
    time.now += 2_000
    const end = (): never => {
      throw new Error('the object has ended')
    }
    expect(() => model.ring(end)).toThrow('ended')
    expect(findStart(model, time)).toBe(5_000)
  })

  it('starts a builder again, after a growing pause, if none comes', () => {
    const { model, time } = createRested()
    model.notice({ sellers: ['ana'] })
    expect([1, 2, 3].map(() => findStart(model, time))).toEqual([2_000, MINUTE, MINUTE])
    const refuse = { isSent: false, reason: 'refused', retryAfter: 90_000 } as const
    findStart(model, time, refuse)
    expect(findStart(model, time)).toBe(90_000)
    expect(model.ledger.read().error).toBe('refused')
  })
})
