/** The Durable Object behind all notices and builders' calls: runs steps in transactions and sets the alarm. */
import type { DurableObjectState } from 'cloudflare:workers'
import { DurableObject } from 'cloudflare:workers'
import type {
  CatalogueNotice,
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
  StatusQuery,
  PublishAnswer,
  PublishCall,
  PublishEnd,
} from '../../domain/wire/calls.ts'
import type { Status } from '../../domain/wire/coordinator-status.ts'
import { findStatusProblems } from '../../domain/wire/status-problems.ts'
import type { LiveAnswer } from '../../domain/wire/object-calls.ts'
import type { ListedSeller } from '../../domain/pages/sitemap.ts'
import type { SiteState } from '../../domain/wire/site-state.ts'
import { findAlertTime, planAlert, settleAlert } from './alert.ts'
import { acceptNotice } from './accept-notice.ts'
import type { Coordinator } from './coordinator.ts'
import { claimBuild, renewLease } from './claim-build.ts'
import { sendAlert, sendDispatch } from './send-dispatch.ts'
import { finishBuild } from './finish-build.ts'
import { batchCalls } from './batch-calls.ts'
import { holdPublishing, releasePublishing } from './hold-publishing.ts'
import type { Moment } from './ledger.ts'
import { recordForced } from './record-forced.ts'
import { beginPublish, endPublish } from './publish-version.ts'
import type { StepOf } from './run-step.ts'
import { runStep } from './run-step.ts'
import { findAlarm } from './schedule.ts'
import type { CoordinatorSettings, Variables } from './coordinator-settings.ts'
import { parseSettings } from './coordinator-settings.ts'
import type { SqlLedger } from './sql-ledger.ts'
import { openLedger } from './sql-ledger.ts'
import { settleDispatch, planDispatch } from './dispatch-build.ts'
import { readStatus } from './read-status.ts'
import type { LocalObjectLedger } from './objects/local-object-ledger.ts'
import { createObjectLedger } from './objects/local-object-ledger.ts'
import { findQueue, restartLost } from './objects/refill-queue.ts'
import { openObjects } from './objects/sql-objects.ts'
import type {
  ObjectLedger,
  Permission,
  PermitCall,
  RefillDone,
  RefillStep,
  SettledObject,
} from './object-ledger.ts'
import type { DispatchTarget, SignedTarget } from './dispatch-target.ts'
import { parseAlertTarget, parseTarget } from './dispatch-target.ts'

/** After an alarm that failed, in milliseconds. */
const ALARM_RETRY = 60_000

export class RebuildCoordinator extends DurableObject<Variables> implements Coordinator, ObjectLedger {
  readonly #settings: CoordinatorSettings
  readonly #problems: readonly string[]
  readonly #target: DispatchTarget
  readonly #receiver: SignedTarget
  readonly #ledger: SqlLedger
  readonly #objects: LocalObjectLedger
  readonly #accept = batchCalls((notices: readonly CatalogueNotice[]) => this.#takeAll(acceptNotice, notices))
  #alarm: number | null = null

  constructor(ctx: DurableObjectState, variables: Variables) {
    super(ctx, variables)
    const { settings, problems } = parseSettings(variables)
    this.#settings = settings
    this.#target = parseTarget(variables)
    this.#receiver = parseAlertTarget(variables)
    const wrong = this.#receiver.kind === 'none' ? this.#receiver.problem : null
    this.#problems = wrong === null ? problems : [...problems, wrong]
    this.#ledger = openLedger(ctx.storage.sql, Date.now())
    this.#objects = createObjectLedger({
      ledger: this.#ledger,
      objects: openObjects(ctx.storage.sql),
      transact: (work) => this.#transact(work),
    })
    // Changed settings may move the alarm.
    void ctx.blockConcurrencyWhile(async () => {
      this.#alarm = await ctx.storage.getAlarm()
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
    return this.#take(finishBuild, report)
  }

  async status(query: StatusQuery): Promise<Status> {
    const objects = this.#objects.readStatus()
    return this.#take(readStatus, { ...query, target: this.#target, problems: this.#problems, objects })
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

  permit(call: PermitCall): Promise<Permission> {
    return this.#objects.permit(call)
  }

  settle(objects: readonly SettledObject[], cause: 'put' | 'seen'): Promise<void> {
    return this.#objects.settle(objects, cause)
  }

  readListed(bucket: number): Promise<readonly ListedSeller[]> {
    return this.#objects.readListed(bucket)
  }

  readBuckets(): Promise<readonly number[]> {
    return this.#objects.readBuckets()
  }

  goLive(code: string): Promise<LiveAnswer> {
    return this.#objects.goLive(code)
  }

  claimRefill(code: string): Promise<RefillStep | null> {
    return this.#objects.claimRefill(code)
  }

  settleRefill(code: string, done: RefillDone): Promise<RefillStep | null> {
    return this.#objects.settleRefill(code, done)
  }

  readSiteState(): Promise<SiteState> {
    return this.#objects.readSiteState()
  }

  /**
   * Called by the runtime, which gives an alarm up after it has thrown six times. So the next one is set before anything
   * can fail, and replaced at the end.
   */
  async alarm(): Promise<void> {
    this.#alarm = Date.now() + ALARM_RETRY
    await this.ctx.storage.setAlarm(this.#alarm)
    // A receiver that hangs must not delay a build.
    this.ctx.waitUntil(this.#alert())
    this.ctx.waitUntil(restartLost(this.env, () => this.#objects.restart()))
    await this.#dispatch()
    this.#alarm = null
    this.#setAlarm()
    if (this.#alarm === null) await this.ctx.storage.deleteAlarm()
  }

  async #dispatch(): Promise<void> {
    const canDispatch = this.#target.kind !== 'none'
    const build = this.#take(planDispatch, { canDispatch, newBuild: `build_${crypto.randomUUID()}` })
    if (build === null) return
    const timeout = this.#settings.dispatchTimeout
    const outcome = await sendDispatch(this.#target, { build, timeout, now: new Date() })
    this.#take(settleDispatch, { build, outcome })
  }

  async #alert(): Promise<void> {
    if (this.#receiver.kind === 'none') return
    try {
      const problems = findStatusProblems(await this.status({ isLogWanted: false }))
      const alert = this.#take(planAlert, { problems, newAlert: `alert_${crypto.randomUUID()}` })
      if (alert === null) return
      const options = { timeout: this.#settings.dispatchTimeout, now: new Date() }
      const outcome = await sendAlert(this.#receiver, alert, options)
      if (!outcome.isSent) console.error(`alert: ${outcome.reason}`)
      this.#take(settleAlert, { id: alert.id, outcome })
    } catch (error) {
      console.error(`alert: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  #take<Event, Answer>(step: StepOf<Event, Answer>, event: Event): Answer {
    return this.#transact((moment) => runStep(this.#ledger, step, event, moment))
  }

  #takeAll<Event, Answer>(step: StepOf<Event, Answer>, events: readonly Event[]): readonly Answer[] {
    return this.#transact((moment) => events.map((event) => runStep(this.#ledger, step, event, moment)))
  }

  /** The runtime writes the changes and the alarm atomically, before any answer leaves the object. */
  #transact<Answer>(work: (moment: Moment) => Answer): Answer {
    const moment = { now: Date.now(), random: Math.random(), settings: this.#settings }
    const answer = this.ctx.storage.transactionSync(() => work(moment))
    this.#setAlarm()
    return answer
  }

  /** Never moves an alarm later: one that fires too early does nothing and sets the next one. */
  #setAlarm(): void {
    const standing = this.#ledger.readStanding()
    const build = findAlarm(standing, this.#settings, this.#target.kind !== 'none')
    const { isWatched, restartAt } = this.#objects.readWatch()
    const refill = findQueue(this.env) === null ? null : restartAt
    const isTelling = this.#receiver.kind !== 'none'
    const check = isTelling ? findAlertTime(standing, this.#settings, { now: Date.now(), isWatched }) : null
    const time = Math.min(build ?? Infinity, check ?? Infinity, refill ?? Infinity)
    if (time === Infinity || (this.#alarm !== null && this.#alarm <= time)) return
    this.#alarm = time
    void this.ctx.storage.setAlarm(time)
  }
}
