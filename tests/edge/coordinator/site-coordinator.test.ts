/** The Durable Object itself, on a state in memory: its alarm outlives failures, and alerts hold up no build. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { SiteCoordinator } from '../../../src/edge/coordinator/site-coordinator.ts'
import { openSql } from '../../../scripts/local/open-sql.ts'
import { verifyMessage } from '../../support/edge/verify-message.ts'
import { startServer } from '../../support/run/start-server.ts'

vi.mock('cloudflare:workers', () => ({
  DurableObject: class {
    readonly ctx: unknown
    readonly env: unknown
    constructor(ctx: unknown, env: unknown) {
      this.ctx = ctx
      this.env = env
    }
  },
}))

const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`

/** The state of an object. `alarm`: the time of the next alarm. */
class ObjectState {
  alarm: number | null = null
  isBroken = false
  readonly work: Promise<void>[] = []
  readonly #sql = openSql(new DatabaseSync(':memory:'))
  readonly storage = {
    getAlarm: async () => this.alarm,
    setAlarm: async (time: number) => void (this.alarm = time),
    deleteAlarm: async () => void (this.alarm = null),
    sql: {
      exec: (query: string, ...bindings: readonly (string | number)[]) => {
        if (this.isBroken) throw new Error('the storage is gone')
        return this.#sql.exec(query, ...bindings)
      },
    },
    transactionSync: <Result>(work: () => Result): Result => work(),
  }
  readonly waitUntil = (work: Promise<void>): void => void this.work.push(work)
  readonly blockConcurrencyWhile = (work: () => Promise<void>): Promise<void> => work()
}

interface Received {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly response: ServerResponse
}

async function listen(): Promise<{ origin: string; received: Received[] }> {
  const received: Received[] = []
  const origin = await startServer(async (request, response) => {
    received.push({ url: request.url ?? '', headers: request.headers, body: await text(request), response })
    if (request.url !== '/hangs') response.end()
  })
  return { origin, received }
}

// The clock does not move, so that an alarm is before or after now on any machine.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() }))
afterEach(() => void vi.useRealTimers())

const NOTICE = { id: 'n', sellers: ['ana'], isFull: false }

it('has an alarm after any number of alarms that threw', async () => {
  const state = new ObjectState()
  const target = { DISPATCH_URL: 'http://127.0.0.1:1', DISPATCH_SECRET: SECRET, REBUILD_QUIET_MS: '0' }
  const coordinator = new SiteCoordinator(state, target)
  await coordinator.accept(NOTICE)
  state.isBroken = true
  for (let round = 0; round < 7; round += 1) {
    state.alarm = null
    await expect(coordinator.alarm()).rejects.toThrow('the storage is gone')
    expect(state.alarm).toBeGreaterThan(Date.now())
  }
  state.isBroken = false
  await coordinator.alarm()
  expect((await coordinator.status({ isLogWanted: false })).dispatch.tries).toBe(1)
})

it('has no alarm when nothing waits', async () => {
  const state = new ObjectState()
  await new SiteCoordinator(state, {}).alarm()
  expect(state.alarm).toBeNull()
})

it('posts a signed alert, and starts a builder though the receiver of alerts hangs', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { origin, received } = await listen()
  const settings = { DISPATCH_URL: `${origin}/build`, BUILDER_SECRET: SECRET, REBUILD_QUIET_MS: '0' }
  const telling = { ...settings, ALERT_AFTER_MS: '0' }
  const state = new ObjectState()
  const coordinator = new SiteCoordinator(state, { ...telling, ALERT_URL: `${origin}/alert` })
  await coordinator.alarm()
  await Promise.all(state.work)
  const [alert] = received
  expect(alert?.url).toBe('/alert')
  expect(JSON.parse(alert?.body ?? '')).toMatchObject({
    type: 'site.attention',
    data: { reasons: ['no publish is recorded yet: npm run deploy'] },
  })
  expect(await verifyMessage([SECRET], alert?.headers ?? {}, alert?.body ?? '')).toMatch(/^alert_/)
  const other = new SiteCoordinator(new ObjectState(), { ...telling, ALERT_URL: `${origin}/hangs` })
  await other.accept(NOTICE)
  await other.alarm()
  expect(received.map(({ url }) => url)).toContain('/build')
  expect(log).not.toHaveBeenCalled()
})

it('reports a wrong address for alerts as a problem', async () => {
  const coordinator = new SiteCoordinator(new ObjectState(), { ALERT_URL: 'nowhere' })
  const { problems } = await coordinator.status({ isLogWanted: false })
  expect(problems).toEqual(['ALERT_URL must be an address such as https://example.com/build'])
})

it('reports a token that no request can carry, and goes on', async () => {
  const target = { DISPATCH_GITHUB_REPOSITORY: 'o/n', DISPATCH_GITHUB_TOKEN: 'one\nanother' }
  const coordinator = new SiteCoordinator(new ObjectState(), { ...target, REBUILD_QUIET_MS: '0' })
  await coordinator.accept(NOTICE)
  await coordinator.alarm()
  const { problems } = await coordinator.status({ isLogWanted: false })
  expect(problems).toEqual([expect.stringMatching(/^DISPATCH_GITHUB_TOKEN must be/)])
})
