import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { openLedger } from '../../../src/edge/coordinator/storage/sql-ledger.ts'
import type { Sql } from '../../../src/edge/coordinator/storage/sql.ts'

it('a coordinator with tables of the format before begins empty, and works', () => {
  const database = new DatabaseSync(':memory:')
  const sql: Sql = {
    exec: (query, ...bindings) => {
      const rows = database.prepare(query).all(...bindings)
      return { toArray: () => rows }
    },
  }
  database.exec('CREATE TABLE objects (name TEXT); CREATE TABLE standing (only INTEGER, claimed INTEGER)')
  database.exec('CREATE TABLE feed (seller TEXT PRIMARY KEY, changed INTEGER, done INTEGER NOT NULL)')
  database.exec("INSERT INTO feed VALUES ('ana', 1, 1)")
  for (const now of [5, 6]) {
    const ledger = openLedger(sql, now)()
    expect(ledger.readStanding().last).toBe(5)
    expect(database.prepare('SELECT * FROM feed').all()).toEqual([])
  }
})
