/** The coordinator's real steps with a clock of their own: its calls, its alarm, and the loss of all it knows. */
import type { CallBody } from '../../../src/domain/wire/calls.ts'
import type { Ledger, Moment, StepSettings } from '../../../src/edge/coordinator/ledger.ts'
import type { Granted, Waiting } from '../../../src/edge/coordinator/steps.ts'
import {
  acceptNotice,
  claimBuild,
  finishBuild,
  holdPublishing,
  releasePublishing,
  renewLease,
} from '../../../src/edge/coordinator/steps.ts'
import type { DispatchOutcome } from '../../../src/edge/coordinator/schedule.ts'
import {
  findAlarm,
  findDispatchTime,
  planDispatch,
  settleDispatch,
  settleLease,
} from '../../../src/edge/coordinator/schedule.ts'

interface ModelOptions {
  readonly clock: () => number
  readonly openLedger: (now: number) => Ledger
  /** Returns the run of the live site. */
  readonly readLive: () => string | null
  readonly settings: StepSettings
}

export class CoordinatorModel {
  readonly #options: ModelOptions
  ledger: Ledger
  /** When the object's alarm is due. */
  alarm: number

  constructor(options: ModelOptions) {
    this.#options = options
    this.ledger = options.openLedger(options.clock())
    this.alarm = options.clock()
  }

  /** All that it knows is lost. */
  lose(): void {
    this.ledger = this.#options.openLedger(this.#options.clock())
    this.alarm = this.#options.clock()
  }

  notice(asked: CallBody<'notice'>['data']): Waiting | null {
    return this.#take((moment) => acceptNotice(this.ledger, asked, moment))
  }

  claim(token: string, have: number | null): Granted {
    return this.#take((moment) => claimBuild(this.ledger, { token, builder: 'builder', have }, moment))
  }

  renew(token: string): boolean {
    return this.#take((moment) => renewLease(this.ledger, token, moment)) !== null
  }

  done(token: string, report: CallBody<'done'>): Waiting | null {
    const live = this.#options.readLive()
    return this.#take((moment) => finishBuild(this.ledger, { token, report, live }, moment))
  }

  hold(): void {
    this.#take((moment) => holdPublishing(this.ledger, 'held', moment))
  }

  release(): void {
    this.#take((moment) => releasePublishing(this.ledger, null, moment))
  }

  /** Returns the token and the end of the lease that runs. */
  get lease(): { readonly token: string; readonly until: number } | null {
    const { token, until } = settleLease(this.ledger, this.moment)
    return token === null ? null : { token, until }
  }

  /** Whether a builder will be started without any further call, or a second look is due. */
  get isWaiting(): boolean {
    return this.ledger.read().lookAt !== null || findDispatchTime(this.ledger, this.moment) !== null
  }

  /** Runs the alarm, as it comes when it is due and when the object starts. `start` tries to start a builder. */
  ring(start: () => DispatchOutcome): void {
    this.alarm = Infinity
    const live = this.#options.readLive()
    const tries = this.#take((moment) => planDispatch(this.ledger, live, moment))
    if (tries === null) return
    const outcome = start()
    this.#take((moment) => settleDispatch(this.ledger, { tries, outcome }, moment))
  }

  get moment(): Moment {
    return { now: this.#options.clock(), random: 0.5, settings: this.#options.settings }
  }

  #take<Answer>(step: (moment: Moment) => Answer): Answer {
    const answer = step(this.moment)
    this.alarm = Math.min(this.alarm, findAlarm(this.ledger, this.moment))
    return answer
  }
}
