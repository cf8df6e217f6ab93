/** The Durable Object behind all notices and builders' calls: runs steps in transactions and sets the alarm. */
import type { DurableObjectState } from 'cloudflare:workers'
import type {
  NoticeAnswer,
  Claim,
  ClaimAnswer,
  RenewAnswer,
  BuildReport,
  ReportAnswer,
  Forced,
  Hold,
  HoldAnswer,
  Release,
  PublishAnswer,
  PublishCall,
  PublishEnd,
} from '../../domain/wire/calls.ts'
import type { CatalogueNotice } from '../../domain/wire/notice.ts'
import type { Status } from '../../domain/wire/coordinator-status.ts'
import { findAlertTime } from './dispatch/alert.ts'
import type { Coordinator } from './coordinator.ts'
import { claimBuild, renewLease } from './claim-build.ts'
import { batchCalls } from './batch-calls.ts'
import { holdPublishing, releasePublishing, recordForced } from './hold-publishing.ts'
import type { Moment } from './ledger.ts'
import { beginPublish, endPublish } from './publish-version.ts'
import type { StepOf } from './run-step.ts'
import { runStep } from './run-step.ts'
import { findAlarm } from './schedule.ts'
import type { CoordinatorSettings, Variables } from './coordinator-settings.ts'
import { parseSettings } from './coordinator-settings.ts'
import { findSourceProblems } from './source-settings.ts'
import { readStatus } from './read-status.ts'
import { findChangeQueue } from './changes/change-queue.ts'
import type { CoordinatorParts } from './coordinator-parts.ts'
import { openParts } from './coordinator-parts.ts'
import type { Sender } from './dispatch/errands.ts'
import { logError, sendChanges, startBuild, tellSomebody } from './dispatch/errands.ts'
import { ObjectCalls } from './object-calls.ts'
import type { DispatchSetting, SignedTarget } from './dispatch/dispatch-target.ts'
import { findDispatchProblems, parseAlertTarget, parseDispatch } from './dispatch/dispatch-target.ts'

/** After an alarm that failed, in milliseconds. */
const ALARM_RETRY = 60_000

export class RebuildCoordinator extends ObjectCalls implements Coordinator {
  protected readonly parts: CoordinatorParts
  readonly #settings: CoordinatorSettings
  readonly #problems: readonly string[]
  readonly #dispatch: DispatchSetting
  readonly #receiver: SignedTarget
  readonly #accept: (notice: CatalogueNotice) => Promise<NoticeAnswer>
  #alarm: number | null = null

  constructor(ctx: DurableObjectState, variables: Variables) {
    super(ctx, variables)
    const { settings, problems } = parseSettings(variables)
    const canQueue = findChangeQueue(variables) !== null
    this.#settings = settings
    this.#dispatch = parseDispatch(variables, canQueue)
    this.#receiver = parseAlertTarget(variables)
    const wrong = this.#receiver.kind === 'none' ? this.#receiver.problem : null
    this.#problems = [
      ...problems,
      ...findDispatchProblems(variables, canQueue),
      ...(this.#dispatch.isQueue ? findSourceProblems(variables) : []),
      ...(wrong === null ? [] : [wrong]),
    ]
    this.parts = openParts({
      sql: ctx.storage.sql,
      now: this.now(),
      isQueue: this.#dispatch.isQueue,
      transact: (work) => this.#transact(work),
    })
    this.#accept = batchCalls(this.parts.changes.accept)
    // Changed settings may move the alarm, and what waits to another place.
    void ctx.blockConcurrencyWhile(async () => {
      this.#alarm = await ctx.storage.getAlarm()
      this.parts.changes.open()
      this.#setAlarm()
    })
  }

  accept(notice: CatalogueNotice): Promise<NoticeAnswer> {
    return this.#accept(notice)
  }

  async claim(claim: Omit<Claim, 'newLease'>): Promise<ClaimAnswer | null> {
    return this.#take(claimBuild, { ...claim, newLease: `lease_${crypto.randomUUID()}` })
  }

  async renew(lease: string): Promise<RenewAnswer | null> {
    return this.#take(renewLease, lease)
  }

  async report(report: BuildReport): Promise<ReportAnswer | null> {
    return this.parts.changes.report(report)
  }

  async status(query: { readonly isLogWanted: boolean }): Promise<Status> {
    return this.#take(readStatus, {
      ...query,
      target: this.#dispatch.target,
      problems: this.#problems,
      objects: this.parts.objects.readStatus(),
      changes: this.parts.changes.readFacts(),
    })
  }

  async publish(call: Omit<PublishCall, 'newLease'>): Promise<PublishAnswer> {
    return this.#take(beginPublish, { ...call, newLease: `publish_${crypto.randomUUID()}` })
  }

  async published(end: PublishEnd): Promise<object | null> {
    return this.#take(endPublish, end)
  }

  async hold(hold: Hold): Promise<HoldAnswer> {
    return this.#take(holdPublishing, hold)
  }

  async release(release: Release): Promise<object> {
    return this.#take(releasePublishing, release)
  }

  async forced(forced: Forced): Promise<object> {
    return this.#take(recordForced, forced)
  }

  /**
   * Called by the runtime, which gives an alarm up after it has thrown six times. So the next one is set before anything
   * can fail, and replaced at the end.
   */
  async alarm(): Promise<void> {
    this.#alarm = this.now() + ALARM_RETRY
    await this.ctx.storage.setAlarm(this.#alarm)
    const sender: Sender = { settings: this.#settings, take: (step, event) => this.#take(step, event) }
    // A receiver that hangs must not delay a build.
    this.ctx.waitUntil(tellSomebody(sender, this.#receiver, () => this.status({ isLogWanted: false })))
    const { isQueue, target } = this.#dispatch
    const started = startBuild(sender, target)
    // A builder that hangs must not delay changes that need none.
    if (isQueue) this.ctx.waitUntil(started.catch((error: unknown) => logError('dispatch', error)))
    else await started
    if (isQueue) await sendChanges(this.parts.changes, this.env)
    this.#alarm = null
    this.#setAlarm()
    if (this.#alarm === null) await this.ctx.storage.deleteAlarm()
  }

  /** The clock of leases, pauses and retries. */
  protected now(): number {
    return Date.now()
  }

  #take<Event, Answer>(step: StepOf<Event, Answer>, event: Event): Answer {
    return this.#transact((moment) => runStep(this.parts.ledger, step, event, moment))
  }

  /** The runtime writes the changes and the alarm atomically, before any answer leaves the object. */
  #transact<Answer>(work: (moment: Moment) => Answer): Answer {
    const moment = { now: this.now(), random: Math.random(), settings: this.#settings }
    const answer = this.ctx.storage.transactionSync(() => work(moment))
    this.#setAlarm()
    return answer
  }

  /** Never moves an alarm later: one that fires too early does nothing and sets the next one. */
  #setAlarm(): void {
    const { ledger, objects, changes } = this.parts
    const standing = ledger.readStanding()
    const build = findAlarm(standing, this.#settings, this.#dispatch.target.kind !== 'none')
    const change = changes.findTime()
    const isTelling = this.#receiver.kind !== 'none'
    const watch = { now: this.now(), isWatched: objects.isHeld() || change !== null }
    const check = isTelling ? findAlertTime(standing, this.#settings, watch) : null
    const time = Math.min(...[build, check, change].map((one) => one ?? Infinity))
    if (time === Infinity || (this.#alarm !== null && this.#alarm <= time)) return
    this.#alarm = time
    void this.ctx.storage.setAlarm(time)
  }
}
