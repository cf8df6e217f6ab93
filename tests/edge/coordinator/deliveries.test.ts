/** Deliveries of notices in random order. `npx vitrina prove:coordinator` plays whole stories. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CoordinatorTwin } from '../../../scripts/prove/coordinator/coordinator-twin.ts'

describe('the coordinator', () => {
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
