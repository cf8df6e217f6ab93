import { expect, it } from 'vitest'
import { createSearchLimit, formatNetwork } from '../../../src/edge/search/search-limit.ts'

const NETWORKS: readonly (readonly [string, string])[] = [
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:DB8::6', '2001:db8:0:0'],
  ['2001:db8:1:2::', '2001:db8:1:2'],
  ['::1', '0:0:0:0'],
  ['2001::2:3:4:5:6:7', '2001:0:2:3'],
  ['', ''],
]

it('an IPv6 address counts as its network', () => {
  for (const [address, network] of NETWORKS) expect(formatNetwork(address), address).toBe(network)
})

it('the limit is asked for the network', async () => {
  const keys: string[] = []
  const isAllowed = createSearchLimit({
    limit: async ({ key }) => {
      keys.push(key)
      return { success: key === '203.0.113.7' }
    },
  })
  expect(await isAllowed('203.0.113.7')).toBe(true)
  expect(await isAllowed('2001:db8::6')).toBe(false)
  expect(keys).toEqual(['203.0.113.7', '2001:db8:0:0'])
})
