/** A coordinator with `DISPATCH=queue` without a Durable Object: the same steps on SQLite in memory, with a settable clock. */
import { DatabaseSync } from 'node:sqlite'
import { parse } from 'valibot'
import type { NoticeAnswer } from '../../../../src/domain/wire/calls.ts'
import type { Status } from '../../../../src/domain/wire/coordinator-status.ts'
import { STATUS } from '../../../../src/domain/wire/coordinator-status.ts'
import type { ChangeMessage, ChangeOutcome } from '../../../../src/edge/coordinator/change-ledger.ts'
import type { SqlChanges } from '../../../../src/edge/coordinator/changes/sql-changes.ts'
import { openChanges, runChangeStep } from '../../../../src/edge/coordinator/changes/sql-changes.ts'
import { takeMessages } from '../../../../src/edge/coordinator/changes/send-changes.ts'
import { claimBuild } from '../../../../src/edge/coordinator/claim-build.ts'
import type { CoordinatorParts } from '../../../../src/edge/coordinator/coordinator-parts.ts'
import { openParts } from '../../../../src/edge/coordinator/coordinator-parts.ts'
import type { CoordinatorSettings, Variables } from '../../../../src/edge/coordinator/coordinator-settings.ts'
import { parseSettings } from '../../../../src/edge/coordinator/coordinator-settings.ts'
import type { Sql } from '../../../../src/edge/coordinator/sql-ledger.ts'
import { runStep } from '../../../../src/edge/coordinator/run-step.ts'
import { readStatus } from '../../../../src/edge/coordinator/read-status.ts'
import type { DispatchTarget } from '../../../../src/edge/coordinator/dispatch/dispatch-target.ts'
import { expectGranted, START, TARGET } from '../coordinator-twin.ts'
import { openSql } from '../../open-sql.ts'

export class ChangesTwin {
  now = START
  /** Constant, so that retries have no jitter. */
  random = 0.5
  readonly settings: CoordinatorSettings
  readonly database: DatabaseSync
  readonly changes: SqlChanges
  parts: CoordinatorParts
  readonly #sql: Sql
  #names = 0

  constructor(variables: Variables = {}, database = new DatabaseSync(':memory:')) {
    this.settings = parseSettings(variables).settings
    this.database = database
    this.#sql = openSql(database)
    this.parts = this.#open(true)
    this.changes = openChanges(this.#sql)
  }

  /** A new version, or the same one after a crash: only stored data survives. */
  restart(isQueue = true): void {
    this.parts = this.#open(isQueue)
  }

  notify(...sellers: readonly string[]): NoticeAnswer {
    return this.accept({ sellers })
  }

  notifyFull(): NoticeAnswer {
    return this.accept({ isFull: true })
  }

  accept({
    id = this.#name('notice'),
    sellers = [],
    isFull = false,
    isBounded = false,
  }: {
    readonly id?: string
    readonly sellers?: readonly string[]
    readonly isFull?: boolean
    readonly isBounded?: boolean
  }): NoticeAnswer {
    const [answer] = this.parts.changes.accept([{ id, sellers, isFull, isBounded }])
    return answer ?? { accepted: 0, pending: 0 }
  }

  /** Fires the alarm now. Returns the messages to send. */
  send(): readonly ChangeMessage[] {
    return this.parts.changes.planMessages()
  }

  /** Advances the clock to the time of the next message or lease's end, and fires the alarm. */
  sendAtAlarm(): readonly ChangeMessage[] {
    this.now = Math.max(this.now, this.parts.changes.findTime() ?? this.now)
    return this.send()
  }

  /** A consumer takes a message. Returns `null` if it is not wanted. */
  take(message: ChangeMessage): ChangeMessage | null {
    return runChangeStep(this.changes, takeMessages, [message], this)[0] ?? null
  }

  settle(message: ChangeMessage | undefined, outcome: ChangeOutcome): void {
    if (message === undefined) throw new Error('there is no message')
    void this.parts.changes.settleChanges([{ ...message, outcome }])
  }

  /** A build that reads and delivers everything it is given. Returns its sellers and its sequence. */
  build(have: number | null, failed: readonly string[] = []): ReturnType<typeof expectGranted> {
    const granted = this.claim(have)
    this.report(granted, failed)
    return granted
  }

  claim(have: number | null): ReturnType<typeof expectGranted> {
    const claim = { builder: 'machine', have, newLease: this.#name('lease') }
    return expectGranted(runStep(this.parts.ledger, claimBuild, claim, this))
  }

  report({ lease, upTo }: { lease: string; upTo: number }, failed: readonly string[] = []): void {
    const all = failed.map((seller) => ({ seller, reason: 'it throws' }))
    this.parts.changes.report({ lease, upTo, failed: all })
  }

  /** As the maintainer's machine reads it. */
  status(target: DispatchTarget = TARGET): Status {
    const { objects, changes, ledger } = this.parts
    const call = { target, problems: [], objects: objects.readStatus(), changes: changes.readFacts() }
    const status = runStep(ledger, readStatus, { ...call, isLogWanted: false }, this)
    return parse(STATUS, JSON.parse(JSON.stringify(status)))
  }

  #open(isQueue: boolean): CoordinatorParts {
    const parts = openParts({ sql: this.#sql, now: this.now, isQueue, transact: (work) => work(this) })
    parts.changes.open()
    return parts
  }

  #name(kind: string): string {
    this.#names += 1
    return `${kind}-${this.#names}`
  }
}
