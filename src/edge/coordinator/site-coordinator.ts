/**
 * The Durable Object of the coordinator: runs notices and builders' calls as steps in transactions, and sets the alarm.
 */
import type { DurableObjectState } from 'cloudflare:workers'
import { DurableObject } from 'cloudflare:workers'
import type {
  NoticeAnswer,
  Claim,
  ClaimAnswer,
  RenewAnswer,
  BuildReport,
  ReportAnswer,
  Forced,
  HoldBody,
  HoldAnswer,
  ReleaseBody,
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
import type { Ledger, Moment } from './ledger.ts'
import { beginPublish, endPublish } from './publish-version.ts'
import type { LocalLedger } from './storage/local-ledger.ts'
import { openLocalLedger } from './storage/local-ledger.ts'
import { findAlarm } from './schedule.ts'
import type { CoordinatorSettings, Variables } from './coordinator-settings.ts'
import { parseSettings } from './coordinator-settings.ts'
import { readStatus } from './read-status.ts'
import { finishBuild } from './finish-build.ts'
import { acceptNotice } from './accept-notice.ts'
import type { Sender } from './dispatch/errands.ts'
import { alertReceiver, startBuild } from './dispatch/errands.ts'
import type { DispatchTarget, SignedTarget } from './dispatch/dispatch-target.ts'
import { parseAlertTarget, parseDispatch } from './dispatch/dispatch-target.ts'

/** Pause after a failed alarm, in milliseconds. */
const ALARM_RETRY = 60_000

export class SiteCoordinator extends DurableObject<Variables> implements Coordinator {
  readonly #ledger: LocalLedger
  readonly #settings: CoordinatorSettings
  readonly #problems: readonly string[]
  readonly #target: DispatchTarget
  readonly #receiver: SignedTarget
  readonly #accept: (notice: CatalogueNotice) => Promise<NoticeAnswer>
  #alarm: number | null = null
  /** Whether the alarm handler is running. The handler sets the next alarm at its end. */
  #isRinging = false

  constructor(ctx: DurableObjectState, variables: Variables) {
    super(ctx, variables)
    const { settings, problems } = parseSettings(variables)
    this.#settings = settings
    this.#target = parseDispatch(variables)
    this.#receiver = parseAlertTarget(variables)
    const wrong = this.#receiver.kind === 'none' ? this.#receiver.problem : null
    this.#problems = [...problems, ...(wrong === null ? [] : [wrong])]
    this.#ledger = openLocalLedger({
      sql: ctx.storage.sql,
      now: this.now(),
      transact: (work) => this.#transact(work),
    })
    this.#accept = batchCalls((notices) => this.#ledger.take(acceptNotices, notices))
    // A deployment may have changed the settings: the alarm may be due at another time.
    void ctx.blockConcurrencyWhile(async () => {
      this.#alarm = await ctx.storage.getAlarm()
      this.#setAlarm()
    })
  }

  accept(notice: CatalogueNotice): Promise<NoticeAnswer> {
    return this.#accept(notice)
  }

  async claim(claim: Omit<Claim, 'newLease'>): Promise<ClaimAnswer | null> {
    return this.#ledger.take(claimBuild, { ...claim, newLease: `lease_${crypto.randomUUID()}` })
  }

  async renew(lease: string): Promise<RenewAnswer | null> {
    return this.#ledger.take(renewLease, lease)
  }

  async report(report: BuildReport): Promise<ReportAnswer | null> {
    return this.#ledger.take(finishBuild, report)
  }

  async status(query: { readonly isLogWanted: boolean }): Promise<Status> {
    return this.#ledger.take(readStatus, {
      ...query,
      target: this.#target,
      problems: this.#problems,
    })
  }

  async publish(call: Omit<PublishCall, 'newLease'>): Promise<PublishAnswer> {
    return this.#ledger.take(beginPublish, { ...call, newLease: `publish_${crypto.randomUUID()}` })
  }

  async published(end: PublishEnd): Promise<object | null> {
    return this.#ledger.take(endPublish, end)
  }

  async hold(hold: HoldBody): Promise<HoldAnswer> {
    return this.#ledger.take(holdPublishing, hold)
  }

  async release(release: ReleaseBody): Promise<object> {
    return this.#ledger.take(releasePublishing, release)
  }

  async forced(forced: Forced): Promise<object> {
    return this.#ledger.take(recordForced, forced)
  }

  /**
   * Handles an alarm. The runtime drops an alarm whose handler has thrown six times, so a failed run sets a new alarm.
   * A repeated run also sets one at its beginning, because the runtime may end the run without an exception.
   */
  async alarm({ isRetry }: { readonly isRetry: boolean } = { isRetry: false }): Promise<void> {
    const retry = this.now() + ALARM_RETRY
    this.#isRinging = true
    if (isRetry) await this.ctx.storage.setAlarm(retry)
    try {
      await this.#runErrands()
    } catch (error) {
      await this.ctx.storage.setAlarm(retry)
      throw error
    } finally {
      this.#isRinging = false
    }
    this.#alarm = null
    if (!this.#setAlarm() && isRetry) await this.ctx.storage.deleteAlarm()
  }

  async #runErrands(): Promise<void> {
    const { take } = this.#ledger
    const sender: Sender = { settings: this.#settings, take }
    // Not awaited, because a receiver that hangs must not delay a build.
    this.ctx.waitUntil(alertReceiver(sender, this.#receiver, () => this.status({ isLogWanted: false })))
    await startBuild(sender, this.#target)
  }

  /** Returns the current time in milliseconds. */
  protected now(): number {
    return Date.now()
  }

  /**
   * Runs the work in a transaction, and sets the alarm. The runtime stores the changes and the alarm
   * atomically, before the caller gets the answer.
   */
  #transact<Answer>(work: (moment: Moment) => Answer): Answer {
    const moment = { now: this.now(), random: Math.random(), settings: this.#settings }
    const answer = this.ctx.storage.transactionSync(() => work(moment))
    this.#setAlarm()
    return answer
  }

  /**
   * Sets the next alarm, but never moves a set alarm later: an alarm that fires too early only sets the next one.
   * Returns true if an alarm is set, or while the alarm handler runs.
   */
  #setAlarm(): boolean {
    if (this.#isRinging) return true
    const time = this.#ledger.read((ledger) => this.#findAlarm(ledger))
    if (time === Infinity || (this.#alarm !== null && this.#alarm <= time)) return this.#alarm !== null
    this.#alarm = time
    void this.ctx.storage.setAlarm(time)
    return true
  }

  #findAlarm(ledger: Ledger): number {
    const standing = ledger.readStanding()
    const build = findAlarm(standing, this.#settings, this.#target.kind !== 'none')
    const check = this.#receiver.kind === 'none' ? null : findAlertTime(standing, this.#settings, this.now())
    return Math.min(build ?? Infinity, check ?? Infinity)
  }
}

function acceptNotices(
  ledger: Ledger,
  notices: readonly CatalogueNotice[],
  moment: Moment,
): readonly NoticeAnswer[] {
  return notices.map((notice) => acceptNotice(ledger, notice, moment))
}
