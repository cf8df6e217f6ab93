/** Versions of the site at the host: which pages they show, their order, and how the live ones are named. */
import { expect, it } from 'vitest'
import {
  findPages,
  formatLive,
  sortNewest,
} from '../../../../src/builder/publish/cloudflare/hosted-versions.ts'

const EARLIER = '2026-01-01T00:00:00Z'
const LATER = '2026-01-01T00:00:00.5Z'

it('finds the pages of a version that a change of a secret created within the same second', () => {
  const ours = { version: 'ours', tag: 'vitrina-7', message: '', created: EARLIER, trigger: 'upload' }
  const secret = { version: 'secret', tag: '', message: '', created: LATER, trigger: 'secret' }
  const hosted = { live: ['secret'], deployed: ['secret'], versions: [secret, ours] }
  expect(findPages('secret', hosted)).toBe(ours)
})

it('puts the newest first', () => {
  expect(sortNewest([EARLIER, LATER], (time) => time)).toEqual([LATER, EARLIER])
  expect(sortNewest([LATER, EARLIER], (time) => time)).toEqual([LATER, EARLIER])
})

it('names one live version or several', () => {
  expect(formatLive(['a'])).toBe('version a is live')
  expect(formatLive(['a', 'b'])).toBe('versions a and b are live')
})
