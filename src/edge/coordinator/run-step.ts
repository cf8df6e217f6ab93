/** Runs one step on the current standing and writes its changes. */
import type { Ledger, Moment, LedgerStep } from './ledger.ts'
import { settleLease } from './schedule.ts'
import type { SqlLedger } from './sql-ledger.ts'

export type StepOf<Event, Answer> = (ledger: Ledger, event: Event, moment: Moment) => LedgerStep<Answer>

/** The caller provides the transaction. */
export function runStep<Event, Answer>(
  ledger: SqlLedger,
  step: StepOf<Event, Answer>,
  event: Event,
  moment: Moment,
): Answer {
  const before = ledger.readStanding()
  const standing = settleLease(before, moment)
  const { changes, answer } = step({ ...ledger, standing }, event, moment)
  ledger.apply(standing === before ? changes : { standing, ...changes })
  return answer
}
