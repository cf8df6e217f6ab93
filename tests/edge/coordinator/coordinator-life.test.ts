/** Whatever happens in whatever order: nothing acknowledged is lost, and nothing old takes the place of what is new. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CoordinatorTwin } from './coordinator-twin.ts'
import { BUILDERS, happening, World } from './ledger-twin.ts'

/** Time goes on, targets answer, builders do their work: how many builds until nothing waits any more. */
function settleDown(world: World): number {
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
  it('loses nothing, starts one builder at a time, and comes to rest with everything published', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 60 }), (happenings) => {
        const world = new World()
        for (const one of happenings) world.happen(one)
        expect(settleDown(world)).toBeLessThan(20)
        expect(world.twin.status()).toMatchObject({ pending: 0, full: false, oldest: null, running: null })
        expect([...world.site].sort()).toEqual([...world.documents].sort())
      }),
      { numRuns: 500 },
    )
  })

  it('counts a notice that arrives many times at once a single time', () => {
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
