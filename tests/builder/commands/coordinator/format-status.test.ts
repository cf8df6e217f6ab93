/** The status for people: the live version, and whether publishing is held. */
import { beforeEach, expect, it } from 'vitest'
import { formatStatus } from '../../../../src/builder/commands/coordinator/format-status.ts'
import { findVerdict } from '../../../../src/builder/commands/coordinator/find-verdict.ts'
import type { Hosted } from '../../../../src/builder/publish/cloudflare/hosted-versions.ts'
import { CoordinatorTwin } from '../../../../scripts/prove/coordinator/coordinator-twin.ts'
import { makeLive } from '../../../support/edge/make-live.ts'

let twin: CoordinatorTwin
beforeEach(() => {
  twin = new CoordinatorTwin()
})

const readLive = (): string => readRow('live')

function readRow(label: string, hosted: Hosted | null = null): string {
  const judged = { ...findVerdict(twin.status(), hosted), hosted, problem: null }
  const text = formatStatus('https://vitrina.do', twin.status(), judged)
  return new RegExp(`^${label} +(.*)$`, 'm').exec(text)?.[1] ?? ''
}

it('shows the live version, its sequence and its time', () => {
  expect(readLive()).toBe('no publish is recorded yet')
  makeLive(twin, 'one', 7)
  twin.now += 10 * 60_000
  expect(readLive()).toBe('version one, sequence 7, for 10 min')
})

it('shows a version that may be live instead', () => {
  makeLive(twin, 'one', 7)
  twin.publish('two', 8)
  twin.now += twin.settings.publishLease
  expect(readLive()).toContain('perhaps version two')
})

it('shows that publishing is held, since when and why', () => {
  makeLive(twin, 'one', 7)
  twin.hold()
  twin.now += 2 * 60 * 60_000
  expect(readLive()).toContain('HELD for 2 h: rolled back')
})

it('shows what is live at Cloudflare, the last notice and the last full read', () => {
  makeLive(twin, 'one', 7)
  twin.notify('ana')
  twin.now += 2 * 60 * 60_000
  expect([readRow('last notice'), readRow('last full read')]).toEqual(['2 h ago', 'none yet'])
  const created = '2026-01-01T00:00:00Z'
  const version = { version: 'one', tag: 'vitrina-7', message: '', created, trigger: '' }
  expect(readRow('at Cloudflare', { live: ['one'], deployed: ['one'], versions: [version] })).toBe(
    `one (vitrina-7, ${created})`,
  )
})
