/** The coordinator's records of objects over any SQLite, with a clock of the story. Runs in Node and in workerd. */
import { parseSettings } from '../../../src/edge/coordinator/coordinator-settings.ts'
import type { LocalObjectLedger } from '../../../src/edge/coordinator/objects/local-object-ledger.ts'
import { createObjectLedger } from '../../../src/edge/coordinator/objects/local-object-ledger.ts'
import { openObjects } from '../../../src/edge/coordinator/objects/sql-objects.ts'
import type { Sql } from '../../../src/edge/coordinator/sql-ledger.ts'
import { openLedger } from '../../../src/edge/coordinator/sql-ledger.ts'

const { settings } = parseSettings({})

/** `transact` runs the work in one transaction. */
export function openObjectLedger(
  sql: Sql,
  now: () => number,
  transact: <Answer>(work: () => Answer) => Answer,
): LocalObjectLedger {
  return createObjectLedger({
    ledger: openLedger(sql, now()),
    objects: openObjects(sql),
    transact: (work) => transact(() => work({ now: now(), random: 0.5, settings })),
  })
}
