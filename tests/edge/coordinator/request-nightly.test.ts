/** The nightly full read is requested even if the coordinator fails at that moment. */
import { expect, it } from 'vitest'
import { CoordinatorTwin } from '../../../scripts/prove/coordinator/coordinator-twin.ts'
import { requestNightly } from '../../../src/edge/coordinator/request-nightly.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

/** Requests a full read of a coordinator that fails `failures` times, with and without storing the request. */
async function request(failures: number): Promise<{ twin: CoordinatorTwin; pauses: readonly number[] }> {
  const twin = new CoordinatorTwin()
  const pauses: number[] = []
  let calls = 0
  const open = () => ({
    accept: async (notice: Parameters<CoordinatorTwin['accept']>[0]) => {
      calls += 1
      const answer = calls % 2 === 0 || calls > failures ? twin.accept(notice) : null
      if (answer === null || calls <= failures) throw new Error('the coordinator was reset')
      return answer
    },
  })
  await requestNightly(open, 7, async (ms) => void pauses.push(ms))
  return { twin, pauses }
}

it('stores one request, however many tries it takes', async () => {
  const { last } = (await request(0)).twin.standing
  for (const failures of [1, 3, 7]) {
    const { twin, pauses } = await request(failures)
    expect(twin.standing).toMatchObject({ full: last, requests: [['nightly_7', twin.now]] })
    expect(pauses).toHaveLength(failures)
  }
})

it('waits longer than a restart of the coordinator takes, and then fails', async () => {
  const { pauses } = await request(7)
  expect(pauses[0]).toBeLessThan(2 * SECOND)
  expect(pauses.reduce((sum, pause) => sum + pause)).toBeGreaterThan(MINUTE)
  await expect(request(8)).rejects.toThrow('the coordinator was reset')
})
