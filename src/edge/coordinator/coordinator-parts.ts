/** The parts of a coordinator, on one database. */
import type { LocalChangeLedger } from './changes/local-change-ledger.ts'
import { createChangeLedger } from './changes/local-change-ledger.ts'
import { openChanges } from './changes/sql-changes.ts'
import type { Moment } from './ledger.ts'
import type { LocalObjectLedger } from './objects/local-object-ledger.ts'
import { createObjectLedger } from './objects/local-object-ledger.ts'
import { openObjects } from './objects/sql-objects.ts'
import type { Sql, SqlLedger } from './sql-ledger.ts'
import { openLedger } from './sql-ledger.ts'

export interface CoordinatorParts {
  readonly ledger: SqlLedger
  readonly objects: LocalObjectLedger
  readonly changes: LocalChangeLedger
}

export interface PartsOptions {
  readonly sql: Sql
  readonly now: number
  /** Whether the Worker renders changes itself. */
  readonly isQueue: boolean
  /** Runs the work in one transaction. */
  readonly transact: <Answer>(work: (moment: Moment) => Answer) => Answer
}

/** Creates the tables on first use. */
export function openParts({ sql, now, isQueue, transact }: PartsOptions): CoordinatorParts {
  const ledger = openLedger(sql, now)
  const records = openObjects(sql)
  const open = openChanges(sql)
  const changes = createChangeLedger({ ledger, changes: open, objects: records, isQueue, transact })
  const { noticeChanges } = changes
  const objects = createObjectLedger({ ledger, objects: records, changes: open, noticeChanges, transact })
  return { ledger, objects, changes }
}
