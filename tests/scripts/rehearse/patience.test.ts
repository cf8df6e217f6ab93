/** How the rehearsal waits: as long as something moves, and not for ever. */
import { describe, expect, it } from 'vitest'
import { awaitWork, createPatience } from '../../../scripts/rehearse/patience.ts'

const BOUNDS = { pause: 0, still: 3, most: 10 }
const never = new Promise<string>(() => {})

/** Returns how many looks there were until the wait was ended, and why. */
async function wait(readSigns: (look: number) => string): Promise<readonly [looks: number, reason: string]> {
  let looks = -1
  const look = createPatience(() => readSigns((looks += 1)), BOUNDS)
  const reason = await awaitWork(never, 'it is done', look).catch(String)
  return [looks, reason]
}

describe('a wait', () => {
  it('ends when nothing has moved for some looks in a row', async () => {
    expect(await wait(() => '')).toEqual([
      3,
      'Error: nothing changed during 3 checks while waiting for this: it is done',
    ])
    expect(await wait((look) => String(Math.min(look, 4)))).toEqual([7, expect.stringContaining('nothing')])
  })

  it('ends at last though something moves at each look', async () => {
    expect(await wait(String)).toEqual([10, 'Error: after 10 checks still waiting for this: it is done'])
  })

  it('returns what the work returns, and throws what it throws', async () => {
    const look = createPatience(() => '', BOUNDS)
    expect(await awaitWork(Promise.resolve(1), 'it is done', look)).toBe(1)
    await expect(awaitWork(Promise.reject(new Error('lost')), 'it is done', look)).rejects.toThrow('lost')
  })
})
