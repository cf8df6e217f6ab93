/** Runs the coordinator without a Durable Object: the same steps, on SQLite in memory and with a settable clock. */
import { DatabaseSync } from 'node:sqlite'
import { parse } from 'valibot'
import type {
  Caller,
  Forced,
  NoticeAnswer,
  ClaimAnswer,
  RenewAnswer,
  BuildReport,
  ReportAnswer,
  HoldAnswer,
  PublishAnswer,
  Stranger,
} from '../../../src/domain/wire/calls.ts'
import type { CatalogueNotice } from '../../../src/domain/wire/notice.ts'
import type { Status } from '../../../src/domain/wire/coordinator-status.ts'
import { STATUS } from '../../../src/domain/wire/coordinator-status.ts'
import { acceptNotice } from '../../../src/edge/coordinator/accept-notice.ts'
import { claimBuild, renewLease } from '../../../src/edge/coordinator/claim-build.ts'
import { finishBuild } from '../../../src/edge/coordinator/finish-build.ts'
import type { Standing, LedgerStep } from '../../../src/edge/coordinator/ledger.ts'
import type { LocalLedger } from '../../../src/edge/coordinator/storage/local-ledger.ts'
import { openLocalLedger } from '../../../src/edge/coordinator/storage/local-ledger.ts'
import {
  holdPublishing,
  releasePublishing,
  recordForced,
} from '../../../src/edge/coordinator/hold-publishing.ts'
import { beginPublish, endPublish } from '../../../src/edge/coordinator/publish-version.ts'
import { findAlarm } from '../../../src/edge/coordinator/schedule.ts'
import type { CoordinatorSettings, Variables } from '../../../src/edge/coordinator/coordinator-settings.ts'
import { parseSettings } from '../../../src/edge/coordinator/coordinator-settings.ts'
import type { DispatchOutcome } from '../../../src/edge/coordinator/dispatch/dispatch-build.ts'
import { settleDispatch, planDispatch } from '../../../src/edge/coordinator/dispatch/dispatch-build.ts'
import { readStatus } from '../../../src/edge/coordinator/read-status.ts'
import type { DispatchTarget } from '../../../src/edge/coordinator/dispatch/dispatch-target.ts'
import { openSql } from '../../local/open-sql.ts'

export const START = Date.parse('2026-03-01T12:00:00Z')

const TARGET: DispatchTarget = {
  kind: 'github',
  api: 'http://localhost',
  repository: 'o/n',
  token: 'secret',
}
export const NO_TARGET: DispatchTarget = { kind: 'none', problem: null }

export class CoordinatorTwin {
  now: number
  /** Constant, so that retries have no jitter. */
  random = 0.5
  target: DispatchTarget = TARGET
  readonly settings: CoordinatorSettings
  readonly database = new DatabaseSync(':memory:')
  /** The rows, and the runner of steps. */
  ledger: LocalLedger
  #names = 0

  constructor(variables: Variables = {}, now = START) {
    this.now = now
    this.settings = parseSettings(variables).settings
    this.ledger = this.#open()
  }

  get standing(): Standing {
    return this.ledger.read((ledger) => ledger.readStanding())
  }

  /** Restarts as another version of the Worker, or as the same version after a crash. Only stored data survives. */
  restart(): void {
    this.ledger = this.#open()
  }

  /** Returns the sellers whose page a builder could not render. */
  listFailing(): readonly string[] {
    return this.ledger.read((ledger) => ledger.listFailing()).map(({ seller }) => seller)
  }

  listChanged(after = 0): readonly string[] {
    return this.ledger.read((ledger) => ledger.listChanged(after))
  }

  notify(...sellers: readonly string[]): NoticeAnswer {
    return this.accept({ sellers })
  }

  notifyFull(): NoticeAnswer {
    return this.accept({ isFull: true })
  }

  accept(notice: Partial<CatalogueNotice>): NoticeAnswer {
    return this.take(acceptNotice, { id: this.#name('notice'), sellers: [], isFull: false, ...notice })
  }

  claim(have: number | null, builder = 'machine'): ClaimAnswer | null {
    return this.take(claimBuild, { builder, have, newLease: this.#name('lease') })
  }

  renew(lease: string): RenewAnswer | null {
    return this.take(renewLease, lease)
  }

  report(report: BuildReport): ReportAnswer | null {
    return this.take(finishBuild, report)
  }

  /** Claims a build and reports all granted sellers as delivered, except those in `failed`. Returns the grant. */
  build(have: number | null, failed: readonly string[] = []): Granted {
    const granted = expectGranted(this.claim(have))
    this.deliver(granted, failed)
    return granted
  }

  deliver({ lease, upTo }: Pick<Granted, 'lease' | 'upTo'>, failed: readonly string[] = []): void {
    this.report({ lease, upTo, failed: failed.map((seller) => ({ seller, reason: 'it throws' })) })
  }

  /** Returns the status after a round trip through JSON and the schema of the status command. */
  status(isLogWanted = false): Status {
    const status = this.take(readStatus, { target: this.target, problems: [], isLogWanted })
    return parse(STATUS, JSON.parse(JSON.stringify(status)))
  }

  publish(version: string, sequence: number, base: string | null = null, by: Caller = null): PublishAnswer {
    return this.take(beginPublish, { version, sequence, base, by, newLease: this.#name('publish') })
  }

  published(lease: string, isLive: boolean | null = true, by: Caller = null): object | null {
    return this.take(endPublish, { lease, isLive, by })
  }

  hold(
    live: { version: string; sequence: number } | null = null,
    reason = 'rolled back',
    by: Caller = null,
  ): HoldAnswer {
    return this.take(holdPublishing, { reason, live, by })
  }

  release(by: Caller = null): void {
    this.take(releasePublishing, { by })
  }

  forced(forced: Forced): object {
    return this.take(recordForced, forced)
  }

  /** Time at which `planDispatch` must run next, to end a lease or start a builder; `null` if it need not run. */
  get alarm(): number | null {
    return findAlarm(this.standing, this.settings, this.target.kind !== 'none')
  }

  /**
   * Does the part of the alarm that starts builders. Returns the id of the build to dispatch; `null` if no build is
   * due.
   */
  planDispatch(): string | null {
    const canDispatch = this.target.kind !== 'none'
    return this.take(planDispatch, { canDispatch, newBuild: this.#name('build') })
  }

  settleDispatch(build: string, outcome: DispatchOutcome): void {
    this.take(settleDispatch, { build, outcome })
  }

  /** Advances the clock to `alarm`, then calls `planDispatch`. */
  planDispatchAtAlarm(): string | null {
    this.now = Math.max(this.now, this.alarm ?? this.now)
    return this.planDispatch()
  }

  take<Event, Answer>(step: LedgerStep<Event, Answer>, event: Event): Answer {
    return this.ledger.take(step, event)
  }

  #open(): LocalLedger {
    const sql = openSql(this.database)
    return openLocalLedger({ sql, now: this.now, transact: (work) => work(this) })
  }

  #name(kind: string): string {
    this.#names += 1
    return `${kind}-${this.#names}`
  }
}

type Granted = ReturnType<typeof expectGranted>

export function expectGranted(answer: ClaimAnswer | null): {
  lease: string
  upTo: number
  sellers: readonly string[] | 'all'
  strangers: readonly Stranger[]
} {
  if (answer === null) throw new Error('the claim was refused')
  const { lease, upTo, strangers = [] } = answer
  return { lease, upTo, sellers: 'sellers' in answer ? answer.sellers : 'all', strangers }
}
