/** The functions that all acts of the rehearsal use. */
import { expect, it } from 'vitest'
import { changeSilently } from '../../../scripts/rehearse/acts.ts'
import type { Surroundings } from '../../../scripts/rehearse/surroundings.ts'

it('keeps the secret of the trigger, even if a change without a notice fails', async () => {
  const trigger = { secret: 'whsec_a', problem: null, writes: 0, open: 0 }
  const shop = { setPrice: () => Promise.reject(new Error('no Firestore')) }
  const around = { trigger, shop, prices: { last: 1 } } as unknown as Surroundings
  await expect(changeSilently(around)).rejects.toThrow('no Firestore')
  expect(trigger.secret).toBe('whsec_a')
})
