/** Random event orders: no acknowledged change is lost, and no older version replaces a newer one. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CoordinatorTwin } from './coordinator-twin.ts'
import { BUILDERS, happening, CoordinatorWorld } from './ledger-twin.ts'

/** Fires alarms without faults until none is set. Returns the number of alarms, `Infinity` after 100. */
function settleDown(world: CoordinatorWorld): number {
  const { twin } = world
  for (let round = 0; round < 100; round += 1) {
    if (twin.alarm === null) return round
    twin.now = Math.max(twin.now, twin.alarm)
    world.ring()
    world.settle(true, 0)
    if (twin.standing.dispatch.sentAt === null) continue
    world.claim(BUILDERS[round % 2] ?? 'one')
    world.finish([])
  }
  return Infinity
}

describe('the coordinator', () => {
  it('loses nothing, runs one build at a time, and ends with everything published', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 60 }), (happenings) => {
        const world = new CoordinatorWorld()
        for (const one of happenings) world.happen(one)
        expect(settleDown(world)).toBeLessThan(20)
        expect(world.twin.status()).toMatchObject({ pending: 0, full: false, oldest: null, running: null })
        expect([...world.site].sort()).toEqual([...world.documents].sort())
      }),
      { numRuns: 500 },
    )
  })

  it('counts a notice once when it is delivered many times concurrently', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5), { minLength: 1, maxLength: 40 }), (deliveries) => {
        const twin = new CoordinatorTwin()
        const answers = deliveries.map((one) =>
          twin.accept({ id: `n${one}`, sellers: [`s${one}`], isFull: false }),
        )
        const accepted = answers.reduce((sum, answer) => sum + answer.accepted, 0)
        expect(accepted).toBe(new Set(deliveries).size)
        expect(answers.at(-1)?.pending).toBe(accepted)
      }),
    )
  })
})
