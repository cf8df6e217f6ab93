import { expect, it } from 'vitest'
import { createCallGuard } from '../../../src/edge/api/call-guard.ts'

const REFUSED = { limit: async () => ({ success: false }) }

function createCaller(network: number): Headers {
  return new Headers({ 'cf-connecting-ip': `10.${network >> 16}.${(network >> 8) & 255}.${network & 255}` })
}

it('forgets the networks first that were blocked first, and a network that is blocked again last', async () => {
  const guard = createCallGuard(() => {})
  const block = (network: number): Promise<void> => guard.noteRefusal(createCaller(network), REFUSED)
  for (let network = 0; network < 1_000; network += 1) await block(network)
  await block(0)
  await block(1_000)
  expect([0, 1, 2, 1_000].map((network) => guard.isBlocked(createCaller(network)))).toEqual([
    true,
    false,
    true,
    true,
  ])
})
