/** The permission to publish, with a coordinator that answers as it is told. */
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Lease, LeaseRequest } from '../../../src/builder/publish/lease.ts'
import { claimLease, openUncoordinated } from '../../../src/builder/publish/lease.ts'
import type { CallAnswer } from '../../../src/domain/wire/calls.ts'
import { readMessage } from '../../../src/domain/documents/errors.ts'
import type { SiteMarker } from '../../../src/domain/wire/site-marker.ts'

const createMarker = (run: string): SiteMarker => ({
  run,
  state: 'closed',
  time: '2026-01-01T00:00:00Z',
  renderer: 'r',
  sellers: 1,
  products: 1,
  largest: 1,
})
const BEFORE = createMarker('before')
const GRANTED = { upTo: 7, seconds: 120, live: BEFORE, sellers: ['ana'] }

/** `renewals`: the markers that are live at each renewal; `null` for a lease that is lost. */
async function claim(
  claimed: CallAnswer<'claim'> = GRANTED,
  renewals: readonly (SiteMarker | null)[] = [],
): Promise<Lease & { readonly asked: () => number; readonly reported: () => unknown }> {
  let asked = 0
  let reported: unknown
  const client: LeaseRequest['client'] = {
    claim: async () => ({ ...claimed, until: Date.now() + 120_000 }),
    renew: async () => {
      const live = renewals[Math.min((asked += 1), renewals.length) - 1] ?? null
      return live === null ? null : { seconds: 120, live, until: Date.now() + 120_000 }
    },
    done: async (_, { failed }) => {
      reported = failed
      return 0
    },
    fail: async () => {},
  }
  const lease = await claimLease({ client, token: 'token', builder: 'builder', have: null })
  onTestFinished(() => lease.stop())
  return { ...lease, asked: () => asked, reported: () => reported }
}

it('a lease is refused while another builder works, or publishing is held', async () => {
  await expect(claim({ busy: '2026-01-01T00:00:00Z' })).rejects.toThrow('Another builder is at work')
  await expect(claim({ held: 'a rollback' })).rejects.toThrow('Publishing is held (a rollback)')
})

it.each<[string, SiteMarker | null, string]>([
  ['the site of the claim is live', BEFORE, 'permitted'],
  ['the own site is live', createMarker('own'), 'permitted'],
  ['another site went live', createMarker('other'), 'went live meanwhile'],
  ['the lease is lost', null, 'The lease was lost'],
])('a lease asks the coordinator right before a switch: %s', async (_, live, answer) => {
  const lease = await claim(GRANTED, [live])
  const asked = lease.permit('own').then(() => 'permitted', readMessage)
  expect(await asked).toContain(answer)
})

it('a lease is asked before a file is put only if little of it is left', async () => {
  const lease = await claim(GRANTED, [BEFORE])
  await lease.permit('own', 60_000)
  expect(lease.asked()).toBe(0)
  await lease.permit('own', 119_999_999)
  expect(lease.asked()).toBe(1)
})

it('a lease is renewed while the builder works, and permits nothing once a renewal was refused', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const lease = await claim(GRANTED, [BEFORE, null])
  await vi.advanceTimersByTimeAsync(61_000)
  expect(lease.asked()).toBe(2)
  await expect(lease.permit('own', 0)).rejects.toThrow('The lease was lost')
})

it('a report names failed sellers, and no failed page that belongs to none', async () => {
  const lease = await claim()
  const failed = ['', 'ana'].map((seller) => ({ seller, reason: 'bad\npage', tries: 1, next: 0 }))
  await lease.done('run', failed)
  expect(lease.reported()).toEqual([{ seller: 'ana', reason: 'bad page' }])
})

it('a lease without a coordinator is given as long as the live site is the same, or the own one', async () => {
  let live: SiteMarker | null = null
  const lease = await openUncoordinated(async () => live)
  await lease.permit('own')
  live = createMarker('own')
  await lease.permit('own')
  live = createMarker('other')
  await expect(lease.permit('own')).rejects.toThrow('went live meanwhile')
})
