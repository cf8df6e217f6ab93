/** The coordinator's calls about objects without a Durable Object: the same steps on SQLite in memory, with a settable clock. */
import { DatabaseSync } from 'node:sqlite'
import { parseSettings } from '../../../../src/edge/coordinator/coordinator-settings.ts'
import { openChanges } from '../../../../src/edge/coordinator/changes/sql-changes.ts'
import { createChangeLedger } from '../../../../src/edge/coordinator/changes/local-change-ledger.ts'
import type {
  LocalObjectLedger,
  LocalOptions,
} from '../../../../src/edge/coordinator/objects/local-object-ledger.ts'
import { createObjectLedger } from '../../../../src/edge/coordinator/objects/local-object-ledger.ts'
import type { SqlObjects } from '../../../../src/edge/coordinator/objects/sql-objects.ts'
import { openObjects } from '../../../../src/edge/coordinator/objects/sql-objects.ts'
import type { SqlLedger } from '../../../../src/edge/coordinator/sql-ledger.ts'
import { openLedger } from '../../../../src/edge/coordinator/sql-ledger.ts'
import { openSql } from '../../open-sql.ts'

export interface MemoryLedger extends LocalObjectLedger {
  readonly clock: { now: number }
  /** Of the coordinator, on the same database. */
  readonly ledger: SqlLedger
  readonly objects: SqlObjects
  readonly database: DatabaseSync
}

export function createMemoryLedger(now: number): MemoryLedger {
  const clock = { now }
  const database = new DatabaseSync(':memory:')
  const sql = openSql(database)
  const ledger = openLedger(sql, now)
  const objects = openObjects(sql)
  const { settings } = parseSettings({})
  const changes = openChanges(sql)
  const transact: LocalOptions['transact'] = (work) => work({ now: clock.now, random: 0.5, settings })
  const { noticeChanges } = createChangeLedger({ ledger, changes, objects, isQueue: false, transact })
  const calls = createObjectLedger({ ledger, objects, changes, noticeChanges, transact })
  return { ...calls, clock, ledger, objects, database }
}
