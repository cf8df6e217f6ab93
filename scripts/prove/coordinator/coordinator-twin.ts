/** The coordinator without a Durable Object: the same steps on SQLite in memory, with a settable clock. */
import { DatabaseSync } from 'node:sqlite'
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
import { acceptNotice } from '../../../src/edge/coordinator/accept-notice.ts'
import { claimBuild, renewLease } from '../../../src/edge/coordinator/claim-build.ts'
import { finishBuild } from '../../../src/edge/coordinator/finish-build.ts'
import { readChangeFacts } from '../../../src/edge/coordinator/changes/read-change-status.ts'
import { openChanges } from '../../../src/edge/coordinator/changes/sql-changes.ts'
import type { Standing } from '../../../src/edge/coordinator/ledger.ts'
import {
  holdPublishing,
  releasePublishing,
  recordForced,
} from '../../../src/edge/coordinator/hold-publishing.ts'
import { beginPublish, endPublish } from '../../../src/edge/coordinator/publish-version.ts'
import type { StepOf } from '../../../src/edge/coordinator/run-step.ts'
import { runStep } from '../../../src/edge/coordinator/run-step.ts'
import { findAlarm } from '../../../src/edge/coordinator/schedule.ts'
import type { CoordinatorSettings, Variables } from '../../../src/edge/coordinator/coordinator-settings.ts'
import { parseSettings } from '../../../src/edge/coordinator/coordinator-settings.ts'
import type { SqlLedger } from '../../../src/edge/coordinator/sql-ledger.ts'
import { openLedger } from '../../../src/edge/coordinator/sql-ledger.ts'
import type { DispatchOutcome } from '../../../src/edge/coordinator/dispatch/dispatch-build.ts'
import { settleDispatch, planDispatch } from '../../../src/edge/coordinator/dispatch/dispatch-build.ts'
import { readStatus } from '../../../src/edge/coordinator/read-status.ts'
import type { DispatchTarget } from '../../../src/edge/coordinator/dispatch/dispatch-target.ts'
import { openSql } from '../open-sql.ts'

export const START = Date.parse('2026-03-01T12:00:00Z')

export const TARGET: DispatchTarget = {
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
  ledger: SqlLedger
  readonly #sql = openSql(this.database)
  #names = 0

  constructor(variables: Variables = {}, now = START) {
    this.now = now
    this.ledger = this.#open()
    this.settings = parseSettings(variables).settings
  }

  get standing(): Standing {
    return this.ledger.readStanding()
  }

  /** Simulates a crash: only stored data survives. */
  restart(): void {
    this.ledger = this.#open()
  }

  notify(...sellers: readonly string[]): NoticeAnswer {
    return this.accept({ id: this.#name('notice'), sellers, isFull: false })
  }

  notifyFull(): NoticeAnswer {
    return this.accept({ id: this.#name('notice'), sellers: [], isFull: true })
  }

  accept(notice: CatalogueNotice): NoticeAnswer {
    return this.#take(acceptNotice, notice)
  }

  claim(have: number | null, builder = 'machine'): ClaimAnswer | null {
    return this.#take(claimBuild, { builder, have, newLease: this.#name('lease') })
  }

  renew(lease: string): RenewAnswer | null {
    return this.#take(renewLease, lease)
  }

  report(report: BuildReport): ReportAnswer | null {
    return this.#take(finishBuild, report)
  }

  status(isLogWanted = false): Status {
    const changes = readChangeFacts(openChanges(this.#sql))
    return this.#take(readStatus, { target: this.target, problems: [], objects: null, changes, isLogWanted })
  }

  publish(version: string, sequence: number, base: string | null = null, by: Caller = null): PublishAnswer {
    return this.#take(beginPublish, { version, sequence, base, by, newLease: this.#name('publish') })
  }

  published(lease: string, isLive: boolean | null = true, by: Caller = null): object | null {
    return this.#take(endPublish, { lease, isLive, by })
  }

  hold(
    live: { version: string; sequence: number } | null = null,
    reason = 'rolled back',
    by: Caller = null,
  ): HoldAnswer {
    return this.#take(holdPublishing, { reason, live, by })
  }

  release(by: Caller = null): void {
    this.#take(releasePublishing, { by })
  }

  forced(forced: Forced): object {
    return this.#take(recordForced, forced)
  }

  /** Time of the next alarm; `null` for none. */
  get alarm(): number | null {
    return findAlarm(this.standing, this.settings, this.target.kind !== 'none')
  }

  /** Fires the alarm now. Returns the build to dispatch. */
  planDispatch(): string | null {
    const canDispatch = this.target.kind !== 'none'
    return this.#take(planDispatch, { canDispatch, newBuild: this.#name('build') })
  }

  settle(build: string, outcome: DispatchOutcome): void {
    this.#take(settleDispatch, { build, outcome })
  }

  /** Advances the clock to the alarm and fires it. */
  planDispatchAtAlarm(): string | null {
    this.now = Math.max(this.now, this.alarm ?? this.now)
    return this.planDispatch()
  }

  #open(): SqlLedger {
    return openLedger(this.#sql, this.now)
  }

  #take<Event, Answer>(step: StepOf<Event, Answer>, event: Event): Answer {
    return runStep(this.ledger, step, event, this)
  }

  #name(kind: string): string {
    this.#names += 1
    return `${kind}-${this.#names}`
  }
}

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
