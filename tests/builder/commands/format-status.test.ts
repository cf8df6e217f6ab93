/** The status for people: the live version, and whether publishing is held. */
import { beforeEach, expect, it } from 'vitest'
import { formatStatus } from '../../../src/builder/commands/coordinator/format-status.ts'
import { CoordinatorTwin } from '../../../scripts/prove/coordinator/coordinator-twin.ts'

let twin: CoordinatorTwin
beforeEach(() => {
  twin = new CoordinatorTwin()
})

function publish(version: string, sequence: number): void {
  const answer = twin.publish(version, sequence)
  if ('lease' in answer) twin.published(answer.lease)
}

const readLive = (): string =>
  /^live +(.*)$/m.exec(formatStatus('https://vitrina.do', twin.status(), []))?.[1] ?? ''

it('shows the live version, its sequence and its time', () => {
  expect(readLive()).toBe('nothing was published yet')
  publish('one', 7)
  twin.now += 10 * 60_000
  expect(readLive()).toBe('version one, sequence 7, for 10 min')
})

it('shows a version that may be live instead', () => {
  publish('one', 7)
  twin.publish('two', 8)
  twin.now += twin.settings.publishLease
  expect(readLive()).toContain('perhaps two')
})

it('shows that publishing is held, since when and why', () => {
  publish('one', 7)
  twin.hold()
  twin.now += 2 * 60 * 60_000
  expect(readLive()).toContain('HELD for 2 h: rolled back')
})
