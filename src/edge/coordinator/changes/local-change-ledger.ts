/** The calls about changes, carried out on the coordinator's own database. */
import type { BuildReport, NoticeAnswer, ReportAnswer } from '../../../domain/wire/calls.ts'
import type { CatalogueNotice } from '../../../domain/wire/notice.ts'
import { acceptNotice, admitStrangers } from '../accept-notice.ts'
import type { ChangeLedger, ChangeMessage, SettledChange } from '../change-ledger.ts'
import { finishBuild } from '../finish-build.ts'
import type { Ledger, Moment } from '../ledger.ts'
import type { ObjectRecords, ObjectStep } from '../objects/object-records.ts'
import { forgetMissing } from '../objects/settle-objects.ts'
import type { SqlObjects } from '../objects/sql-objects.ts'
import { runObjectStep } from '../objects/sql-objects.ts'
import type { StepOf } from '../run-step.ts'
import { runStep } from '../run-step.ts'
import type { SqlLedger } from '../sql-ledger.ts'
import { leaveToBuilder, listWaiting, queueSellers } from './builder-share.ts'
import type { ChangeRecords, ChangeStep } from './change-records.ts'
import { findChangeTime, endLeases, planMessages, takeBackMessages, takeMessages } from './send-changes.ts'
import { noticeChanges } from './notice-changes.ts'
import type { ChangeFacts } from './read-change-status.ts'
import { readChangeFacts } from './read-change-status.ts'
import { dropChanges, forgetAbsent, forgetDelivered, retryHeld } from './release-changes.ts'
import type { Waits } from './seller-pace.ts'
import { paceSellers } from './seller-pace.ts'
import type { Unsent } from './send-changes.ts'
import { settleChange } from './settle-change.ts'
import type { SqlChanges } from './sql-changes.ts'
import { runChangeStep } from './sql-changes.ts'

export interface LocalChangeOptions {
  readonly ledger: SqlLedger
  readonly changes: SqlChanges
  /** Keeps how long changes took to become live, and knows which sellers have an object. */
  readonly objects: SqlObjects
  /** Whether the Worker renders changes itself. */
  readonly isQueue: boolean
  /** Runs the work in one transaction. */
  readonly transact: <Answer>(work: (moment: Moment) => Answer) => Answer
}

/** The calls, and what the coordinator itself asks. */
export interface LocalChangeLedger extends ChangeLedger {
  /** Moves what waits to where it is worked on, if that was changed. Called before all others. */
  open(): void
  accept(notices: readonly CatalogueNotice[]): readonly NoticeAnswer[]
  report(report: BuildReport): ReportAnswer | null
  /** Returns the messages to send now, and gives their leases. */
  planMessages(): readonly ChangeMessage[]
  takeBack(unsent: Unsent): void
  /** Somebody allowed the removals that the guard held back. */
  retryHeld(): void
  readFacts(): ChangeFacts
  /** When to send messages or to end leases; `null` for never. */
  findTime(): number | null
}

export function createChangeLedger(options: LocalChangeOptions): LocalChangeLedger {
  const { changes, isQueue, transact } = options
  const take = <Event, Answer>(step: ChangeStepOf<Event, Answer>, event: Event): Answer =>
    transact((moment) => runChangeStep(changes, step, event, moment))
  return {
    open: () => {
      if (changes.readStanding().isQueue !== isQueue)
        transact((moment) => switchQueue(openWork(options, moment)))
    },
    accept: (notices) =>
      transact((moment) => notices.map((notice) => acceptHere(openWork(options, moment), notice))),
    report: (report) => transact((moment) => finish(openWork(options, moment), report)),
    settleChanges: async (settled) =>
      transact((moment) => {
        for (const one of settled) settle(openWork(options, moment), one)
      }),
    noticeChanges: async (sellers) => transact((moment) => queueNotice(openWork(options, moment), sellers)),
    takeChanges: async (messages) => take(takeMessages, messages),
    planMessages: () =>
      transact((moment) => {
        forget(openWork(options, moment))
        runChangeStep(changes, endLeases, null, moment)
        return runChangeStep(changes, planMessages, null, moment)
      }),
    takeBack: (unsent) => void take(takeBackMessages, unsent),
    retryHeld: () => void take(retryHeld, null),
    readFacts: () => readChangeFacts(changes),
    findTime: () => {
      const standing = changes.readStanding()
      const next = changes.readNext(standing.trouble?.only ?? null)
      return isQueue ? findChangeTime(standing, next) : null
    },
  }
}

type ChangeStepOf<Event, Answer> = (
  records: ChangeRecords,
  event: Event,
  moment: Moment,
) => ChangeStep<Answer>

type ObjectStepOf<Event, Answer> = (
  records: ObjectRecords,
  event: Event,
  moment: Moment,
) => ObjectStep<Answer>

/** Steps within one transaction. */
interface Work extends Pick<LocalChangeOptions, 'ledger' | 'changes' | 'objects' | 'isQueue'> {
  readonly onLedger: <Event, Answer>(step: StepOf<Event, Answer>, event: Event) => Answer
  readonly onChanges: <Event, Answer>(step: ChangeStepOf<Event, Answer>, event: Event) => Answer
  readonly onObjects: <Event, Answer>(step: ObjectStepOf<Event, Answer>, event: Event) => Answer
  /** The ledger as it is now. */
  readonly readLedger: () => Ledger
}

function openWork({ ledger, changes, objects, isQueue }: LocalChangeOptions, moment: Moment): Work {
  return {
    ledger,
    changes,
    objects,
    isQueue,
    onLedger: (step, event) => runStep(ledger, step, event, moment),
    onChanges: (step, event) => runChangeStep(changes, step, event, moment),
    onObjects: (step, event) => runObjectStep(objects, step, event, moment),
    readLedger: () => ({ ...ledger, standing: ledger.readStanding() }),
  }
}

/** A request for a full read goes to a builder. */
function acceptHere(work: Work, call: CatalogueNotice): NoticeAnswer {
  const isRepeat = work.ledger.hasDelivery(call.id)
  if (!isRepeat && !work.onLedger(admitStrangers, call))
    return { accepted: 0, pending: work.ledger.readStanding().pending, isTooMuch: true }
  if (!work.isQueue) return work.onLedger(acceptNotice, call)
  const answer = work.onLedger(acceptNotice, { ...call, sellers: [] })
  if (!isRepeat) queueNotice(work, call.sellers, work.onLedger(paceSellers, call.sellers))
  const accepted = isRepeat ? 0 : answer.accepted + call.sellers.length
  return {
    ...answer,
    accepted,
    pending: work.ledger.readStanding().pending + work.changes.readStanding().waiting,
  }
}

/** A consumer may tell of sellers after the switch to a builder. */
function queueNotice(work: Work, sellers: readonly string[], waits?: Waits): void {
  if (sellers.length === 0) return
  if (!work.isQueue) return void work.onLedger(leaveToBuilder, sellers)
  const sequence = work.onLedger(queueSellers, sellers)
  work.onChanges(noticeChanges, { sellers, sequence, ...(waits && { waits }) })
}

function settle(work: Work, settled: SettledChange): void {
  const { latency, isLarge, isAbsent } = work.onChanges(settleChange, settled)
  if (latency !== null) work.objects.apply({ latencies: [latency] })
  if (isLarge) work.onLedger(leaveToBuilder, [settled.name])
  if (isAbsent) lookAgain(work, settled.name)
}

/**
 * The consumer saw no object, but one is known: another writer put it since, or somebody deleted it by hand. Nothing counts as
 * known any more, and the seller is read again.
 */
function lookAgain(work: Work, seller: string): void {
  const known = work.objects.findObject(seller)
  if (known === null || known.sellers === 0) return
  work.onObjects(forgetMissing, [known])
  queueNotice(work, [seller])
}

function forget({ ledger, onChanges }: Work): void {
  const absent = onChanges(forgetAbsent, null)
  ledger.apply({ forgotten: absent.map(({ name, noticed }) => ({ seller: name, sequence: noticed })) })
}

function finish(work: Work, report: BuildReport): ReportAnswer | null {
  const { lease } = work.ledger.readStanding()
  const answer = work.onLedger(finishBuild, report)
  if (answer !== null && lease?.id === report.lease && !('error' in report)) {
    const failed = report.failed.map(({ seller }) => seller)
    const { findChange } = work.ledger
    work.onChanges(forgetDelivered, { upTo: report.upTo, isFull: lease.isFull, failed, findChange })
  }
  return answer
}

function switchQueue(work: Work): void {
  const { isQueue } = work
  if (isQueue) {
    work.changes.apply({ standing: { ...work.changes.readStanding(), isQueue } })
    return queueNotice(work, listWaiting(work.readLedger()))
  }
  const sellers = work.onChanges(dropChanges, null)
  if (sellers.length > 0) work.onLedger(leaveToBuilder, sellers)
}
