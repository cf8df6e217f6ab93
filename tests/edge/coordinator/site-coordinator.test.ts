/** The Durable Object itself, on a state in memory: its alarm outlives failures, and alerts hold up no build. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ChangeMessage } from '../../../src/edge/coordinator/change-ledger.ts'
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

describe('with DISPATCH=queue', () => {
  interface Sent {
    readonly body: ChangeMessage
  }

  const TROUBLE = { kind: 'trouble', reason: 'quota', isPermanent: false, retryAfter: 0 } as const

  function open(more: object = {}): { state: ObjectState; coordinator: SiteCoordinator; sent: Sent[][] } {
    const sent: Sent[][] = []
    const sendBatch = async (messages: Sent[]): Promise<void> => void sent.push(messages)
    const state = new ObjectState()
    const source = { FIREBASE_PROJECT_ID: 'p', FIRESTORE_EMULATOR_HOST: 'localhost:1' }
    const variables = { DISPATCH: 'queue', ...source, CHANGES: { sendBatch }, REBUILD_QUIET_MS: '0', ...more }
    return { state, sent, coordinator: new SiteCoordinator(state, variables) }
  }

  it('sends changes by hundreds, though a builder that is to be started hangs', async () => {
    const { origin } = await listen()
    const target = { DISPATCH_URL: `${origin}/hangs`, BUILDER_SECRET: SECRET }
    const { coordinator, state, sent } = open(target)
    const sellers = Array.from({ length: 120 }, (_, index) => `s${index}`)
    expect(await coordinator.accept({ id: 'n', sellers, isFull: true })).toEqual({
      accepted: 121,
      pending: 120,
    })
    expect(state.alarm).toBeLessThanOrEqual(Date.now())
    await coordinator.alarm()
    expect(sent.map(({ length }) => length)).toEqual([100, 20])
    const [[first] = []] = sent
    if (first !== undefined) await coordinator.settleChanges([{ ...first.body, outcome: { kind: 'put' } }])
    expect((await coordinator.status({ isLogWanted: false })).changes).toMatchObject({
      waiting: 119,
      sent: 119,
    })
  })

  it('sends again what its queue did not take, and reports why', async () => {
    const sendBatch = async (): Promise<void> => {
      throw new Error('the queue is gone')
    }
    const { coordinator, state } = open({ CHANGES: { sendBatch } })
    await coordinator.accept(NOTICE)
    await coordinator.alarm()
    expect(state.alarm).toBeGreaterThan(Date.now())
    const { changes } = await coordinator.status({ isLogWanted: false })
    expect(changes).toMatchObject({
      waiting: 1,
      sent: 0,
      trouble: { reason: 'the queue of changes did not accept the messages: the queue is gone' },
    })
  })

  it('sends what the guard held back as soon as it is permitted', async () => {
    const { coordinator, state, sent } = open()
    await coordinator.accept(NOTICE)
    await coordinator.alarm()
    const message = sent[0]?.[0]?.body ?? { name: '', upTo: 0, sentAt: 0 }
    await coordinator.settleChanges([{ ...message, outcome: { kind: 'held', reason: 'r' } }])
    await coordinator.alarm()
    expect(sent).toHaveLength(1)
    await coordinator.permit({ objects: [], isShrinkAllowed: true })
    expect(state.alarm).toBeLessThanOrEqual(Date.now())
    await coordinator.alarm()
    expect(sent).toHaveLength(2)
  })

  it('sends an alert about trouble that lasts', async () => {
    const { origin, received } = await listen()
    const { coordinator, state, sent } = open({
      ALERT_URL: `${origin}/alert`,
      ALERT_AFTER_MS: '0',
      ALERT_SECRET: SECRET,
    })
    await coordinator.forced({ version: 'v', sequence: 0, reason: 'r', by: null, at: null })
    await coordinator.accept(NOTICE)
    await coordinator.alarm()
    const message = sent[0]?.[0]?.body ?? { name: '', upTo: 0, sentAt: 0 }
    const outcome = { ...TROUBLE, reason: 'the key was revoked', isPermanent: true }
    await coordinator.settleChanges([{ ...message, outcome }])
    await coordinator.alarm()
    await Promise.all(state.work)
    expect(received.map(({ body }) => body).join()).toContain('the key was revoked')
  })

  it('says which settings the Worker lacks to read sellers', async () => {
    const { coordinator } = open({ FIRESTORE_EMULATOR_HOST: '' })
    const { problems } = await coordinator.status({ isLogWanted: false })
    expect(problems).toEqual([expect.stringContaining('FIREBASE_SERVICE_ACCOUNT, which is not set')])
  })

  it('and without a queue leaves changes to a builder, and says so', async () => {
    const coordinator = new SiteCoordinator(new ObjectState(), { DISPATCH: 'queue' })
    await coordinator.accept(NOTICE)
    const { pending, changes, problems } = await coordinator.status({ isLogWanted: false })
    expect({ pending, changes }).toEqual({ pending: 1, changes: null })
    expect(problems).toEqual([
      expect.stringMatching(/^DISPATCH=queue needs a queue of changes, which this Worker does not have/),
    ])
  })
})
