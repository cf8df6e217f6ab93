/**
 * The Durable Object of the coordinator: runs the calls as steps in transactions, keeps an alarm, and holds the
 * WebSockets of builders that wait.
 */
import type { DurableObjectState } from 'cloudflare:workers'
import { DurableObject } from 'cloudflare:workers'
import { readMessage } from '../../domain/documents/errors.ts'
import type { CallAnswer, CallBody } from '../../domain/wire/calls.ts'
import { WAIT } from '../../domain/wire/calls.ts'
import type { SiteMarker } from '../../domain/wire/site-marker.ts'
import type { Ledger, Moment } from './ledger.ts'
import type { SiteFiles } from './read-live.ts'
import { readLive } from './read-live.ts'
import type { DispatchOutcome } from './schedule.ts'
import { findAlarm, planDispatch, settleDispatch, settleLease } from './schedule.ts'
import type { CoordinatorSettings, Variables } from './settings.ts'
import { parseSettings } from './settings.ts'
import { openLedger } from './sql-ledger.ts'
import { startWorkflow } from './start-workflow.ts'
import { readStatus } from './status.ts'
import type { Granted, Report, Waiting } from './steps.ts'
import {
  acceptNotice,
  claimBuild,
  finishBuild,
  holdPublishing,
  releasePublishing,
  renewLease,
} from './steps.ts'

type CoordinatorEnvironment = Variables & SiteFiles
type Step<Event, Answer> = (ledger: Ledger, event: Event, moment: Moment) => Answer

const SECOND = 1_000
const MINUTE = 60 * SECOND

/** Next alarm while one is at work, in case that it does not end. */
const ALARM_RETRY = MINUTE
/** How long a woken builder, and a started workflow, may take until it claims. */
const WAKE_PATIENCE = 15 * SECOND
const WORKFLOW_PATIENCE = { each: 10 * MINUTE, longest: 120 * MINUTE }
/** How long an isolate remembers who holds the lease, with some room. */
const REMEMBERED = 15 * SECOND
/** Max waiting builders. When there are more, the first is dropped. */
const MAX_BUILDERS = 16

export class BuildCoordinator extends DurableObject<CoordinatorEnvironment> {
  readonly #ledger: Ledger
  readonly #settings: CoordinatorSettings
  /** Time of the stored alarm; `null` if it is not known. */
  #alarm: number | null = null

  constructor(ctx: DurableObjectState, variables: CoordinatorEnvironment) {
    super(ctx, variables)
    this.#settings = parseSettings(variables)
    this.#ledger = openLedger(ctx.storage.sql, this.now())
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(WAIT.ping, WAIT.pong))
    // A deployment starts the object anew: the live site may be another one.
    ctx.waitUntil(this.alarm())
  }

  async notice(asked: CallBody<'notice'>['data']): Promise<Waiting | null> {
    return this.#take(acceptNotice, asked)
  }

  async claim(claim: CallBody<'claim'>): Promise<Granted> {
    return this.#take(claimBuild, claim)
  }

  async renew(token: string): Promise<{ seconds: number } | null> {
    return this.#take(renewLease, token)
  }

  /** Returns whether a report with this token is read: of the lease that runs, or of the last one that was reported. */
  async isKnown(token: string): Promise<boolean> {
    return this.#take((ledger, _, moment) => {
      const { token: running, ended } = settleLease(ledger, moment)
      return token === running || token === ended
    }, null)
  }

  /** Returns whether the builder with this token holds the lease now, and for as long as an isolate remembers it. */
  async isHolder(token: string): Promise<boolean> {
    return this.#take((ledger, _, moment) => {
      const { token: running, until } = settleLease(ledger, moment)
      return token === running && until - moment.now > REMEMBERED
    }, null)
  }

  async done(report: Report): Promise<Waiting | null> {
    return this.#take(finishBuild, report)
  }

  async hold(reason: string): Promise<CallAnswer<'hold'>> {
    return this.#take(holdPublishing, reason)
  }

  async release(): Promise<CallAnswer<'hold'>> {
    return this.#take(releasePublishing, null)
  }

  async status(live: SiteMarker | null): Promise<CallAnswer<'status'>> {
    const builders = this.ctx.getWebSockets().length
    return this.#take(readStatus, { live, builders, settings: this.#settings })
  }

  /** Accepts the WebSocket of a builder that waits. The Worker has verified the request. */
  override async fetch(_: Request): Promise<Response> {
    const { 0: client, 1: server } = new WebSocketPair()
    this.ctx.acceptWebSocket(server)
    for (const old of this.ctx.getWebSockets().slice(0, -MAX_BUILDERS)) old.close(1013, 'too many builders')
    return new Response(null, { status: 101, webSocket: client })
  }

  /** Ignores what a builder says. */
  webSocketMessage(): void {}

  webSocketClose(socket: WebSocket): void {
    socket.close()
  }

  /**
   * Looks at the live site, and starts a builder if one is due. Stores the next alarm before anything else, and does not
   * throw after it, because Cloudflare gives up an alarm that has thrown six times.
   */
  async alarm(): Promise<void> {
    await this.ctx.storage.setAlarm(this.now() + ALARM_RETRY)
    this.#alarm = null
    try {
      const live = await this.#readLive()
      const tries = this.#take((ledger, _, moment) => planDispatch(ledger, live, moment), null)
      if (tries === null) return
      const outcome = await this.#startBuilder(tries)
      this.#take(settleDispatch, { tries, outcome })
    } catch (error) {
      console.error(`coordinator: the alarm failed: ${readMessage(error)}`)
    }
  }

  /** Returns the current time in milliseconds. */
  protected now(): number {
    return Date.now()
  }

  /** Returns the run of the live site; `undefined` if it cannot be read. */
  async #readLive(): Promise<string | null | undefined> {
    try {
      return (await readLive(this.env))?.run ?? null
    } catch (error) {
      console.error(`coordinator: ${readMessage(error)}`)
      return undefined
    }
  }

  /** Wakes the builders that wait. If there are none, or they did not claim, starts the workflow. */
  async #startBuilder(tries: number): Promise<DispatchOutcome> {
    const builders = this.ctx.getWebSockets()
    for (const builder of builders) builder.send(WAIT.wake)
    const { workflow } = this.#settings
    if (builders.length > 0 && (tries === 1 || workflow === null))
      return { isSent: true, patience: WAKE_PATIENCE * tries }
    if (workflow === null)
      return { isSent: false, reason: 'no builder waits, and no workflow is set', retryAfter: 0 }
    const { each, longest } = WORKFLOW_PATIENCE
    return startWorkflow(workflow, Math.min(tries * each, longest))
  }

  /**
   * Runs a step in a transaction and sets the next alarm. The runtime stores both before the caller gets the answer.
   */
  #take<Event, Answer>(step: Step<Event, Answer>, event: Event): Answer {
    const moment: Moment = { now: this.now(), random: Math.random(), settings: this.#settings }
    const answer = this.ctx.storage.transactionSync(() => step(this.#ledger, event, moment))
    this.#setAlarm(findAlarm(this.#ledger, moment), moment.now)
    return answer
  }

  /** Moves no alarm later: one that comes too early only sets the next. */
  #setAlarm(time: number, now: number): void {
    if (this.#alarm !== null && this.#alarm > now && this.#alarm <= time) return
    this.#alarm = time
    void this.ctx.storage.setAlarm(time)
  }
}
