/** The coordinator's calls about objects without a Durable Object: the same steps on SQLite in memory, with a settable clock. */
import { DatabaseSync } from 'node:sqlite'
import { parseSettings } from '../../../../src/edge/coordinator/coordinator-settings.ts'
import type { Standing } from '../../../../src/edge/coordinator/ledger.ts'
import type { LocalLedger } from '../../../../src/edge/coordinator/storage/local-ledger.ts'
import { openLocalLedger } from '../../../../src/edge/coordinator/storage/local-ledger.ts'
import { openSql } from '../../open-sql.ts'

export interface MemoryLedger extends LocalLedger {
  readonly clock: { now: number }
  readonly database: DatabaseSync
  readStanding(): Standing
}

export function createMemoryLedger(now: number): MemoryLedger {
  const clock = { now }
  const database = new DatabaseSync(':memory:')
  const { settings } = parseSettings({})
  const calls = openLocalLedger({
    sql: openSql(database),
    now,
    transact: (work) => work({ now: clock.now, random: 0.5, settings }),
  })
  return { ...calls, clock, database, readStanding: () => calls.read((ledger) => ledger.readStanding()) }
}
