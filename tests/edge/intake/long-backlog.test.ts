/** A queue that is longer than the leases of its messages: the real consumer and coordinator, with a clock of the test. */
import { afterEach, expect, it, vi } from 'vitest'
import { CoordinatorTwin } from '../../../scripts/prove/coordinator/coordinator-twin.ts'
import { findStatusProblems } from '../../../src/domain/wire/status-problems.ts'
import type { ChangeMessage } from '../../../src/edge/coordinator/change-ledger.ts'
import { consumeChanges } from '../../../src/edge/intake/consume-changes.ts'
import { createChangeHost } from '../../support/edge/change-host.ts'
import { user } from '../../support/rebuild/documents.ts'

/** Messages of a batch. */
const BATCH = 20
const MINUTE = 60_000

afterEach(() => void vi.useRealTimers())

interface Backlog {
  readonly sellers: number
  /** Lease of a message, in ms. */
  readonly lease: number
  /** Time of each read, in ms. */
  readonly read: number
}

interface Played {
  /** The sellers that were read, in order. */
  readonly reads: readonly string[]
  /** Problems in the status that need a person, each once. */
  readonly problems: ReadonlySet<string>
  /** How long it took, and how long the last change waited by the site's own account. */
  readonly time: number
  readonly slowest: number | null
  readonly isOver: boolean
}

async function play({ sellers, lease, read }: Backlog): Promise<Played> {
  vi.useFakeTimers({ toFake: ['Date'], now: 1 })
  const names = Array.from({ length: sellers }, (_, index) => `s${index}`)
  const twin = new CoordinatorTwin({ CHANGE_LEASE_MS: String(lease) }, { isQueue: true })
  const host = createChangeHost()
  const { takeChanges, settleChanges } = twin.calls
  const ledger = { ...host.ledger, takeChanges, settleChanges }
  const queue: ChangeMessage[] = []
  const problems = new Set<string>()
  const pass = (time: number): void => {
    twin.now += time
    if ((twin.changeTime ?? Infinity) <= twin.now) queue.push(...twin.send())
  }
  host.source.documents.push(...names.map((name) => user(name)))
  host.source.before = async () => {
    pass(read)
    return null
  }
  twin.notify(...names)
  const begun = twin.now
  pass(MINUTE)
  while (queue.length > 0) {
    const messages = queue.splice(0, BATCH).map((body) => ({ ...MESSAGE, body }))
    await consumeChanges({ messages }, { ...host, ledger })
    for (const problem of findStatusProblems(twin.status())) problems.add(problem)
  }
  const { latency } = await twin.calls.readSiteState()
  const isOver = twin.standing.waiting === 0
  return { reads: host.source.reads, problems, time: twin.now - begun, slowest: latency.slowest, isOver }
}

const MESSAGE = { id: '', timestamp: new Date(0), attempts: 1, ack: () => {}, retry: () => {} }

it.each<[string, Backlog]>([
  ['1,000 changes with short leases', { sellers: 1_000, lease: 8_000, read: 100 }],
  ['400 changes with a slow source', { sellers: 400, lease: MINUTE, read: 1_500 }],
])('%s end with one read each, and the status names the true cause', async (_, backlog) => {
  const { reads, problems, time, slowest, isOver } = await play(backlog)
  expect(isOver).toBe(true)
  expect(reads.toSorted()).toEqual(
    Array.from({ length: backlog.sellers }, (__, index) => `s${index}`).toSorted(),
  )
  // Each is live once it is put.
  expect([time, slowest]).toEqual([MINUTE + backlog.sellers * backlog.read, time])
  const said = [...problems].filter((problem) => problem.includes('queue'))
  expect(said.length).toBeGreaterThan(0)
  for (const problem of said)
    expect(problem).toMatch(/arrive faster than the Worker takes them from the queue$/)
})

it('a queue that nothing takes from is set up anew', () => {
  const twin = new CoordinatorTwin({}, { isQueue: true })
  twin.notify('ana')
  twin.sendAtAlarm()
  for (let round = 0; round < 3; round += 1) twin.sendAtAlarm()
  expect(findStatusProblems(twin.status())).toContain(
    'a change was sent to the queue 3 times, and nothing took it: npm run deploy -- --setup',
  )
})
