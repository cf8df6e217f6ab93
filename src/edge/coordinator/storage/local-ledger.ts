/** Runs the coordinator's steps on its own database, each in one transaction. */
import type { Ledger, Moment, LedgerStep } from '../ledger.ts'
import { settleLease } from '../schedule.ts'
import type { Sql } from './sql.ts'
import { openLedger } from './sql-ledger.ts'

interface LocalOptions {
  readonly sql: Sql
  readonly now: number
  readonly transact: <Answer>(work: (moment: Moment) => Answer) => Answer
}

export interface LocalLedger {
  /** Runs one step, and stores what it changes. */
  take<Event, Answer>(step: LedgerStep<Event, Answer>, event: Event): Answer
  /** Calls `look`, which must only read, without a transaction. */
  read<Answer>(look: (ledger: Ledger) => Answer): Answer
}

/** Creates the tables on first use. */
export function openLocalLedger({ sql, now, transact }: LocalOptions): LocalLedger {
  const begin = openLedger(sql, now)
  return {
    take: (step, event) =>
      transact((moment) => {
        const ledger = begin()
        settleLease(ledger, moment)
        const answer = step(ledger, event, moment)
        ledger.flush()
        return answer
      }),
    read: (look) => look(begin()),
  }
}
