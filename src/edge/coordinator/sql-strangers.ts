/** Sellers of whom it is not known whether they exist, and those who do not until their rows are deleted, in SQLite. */
import type { LedgerChanges } from './ledger.ts'

/** `absent`: the sequence of the state that had no such seller. */
export const STRANGER_TABLES = [
  `CREATE TABLE IF NOT EXISTS strangers (number INTEGER PRIMARY KEY, seller TEXT NOT NULL UNIQUE, absent INTEGER) STRICT`,
  `CREATE INDEX IF NOT EXISTS strangers_by_absence ON strangers (absent)`,
] as const

export const LIST_STRANGERS =
  'SELECT number, seller FROM strangers WHERE absent IS NULL ORDER BY number LIMIT ?'

const KEEP = 'INSERT INTO strangers (seller) VALUES (?) ON CONFLICT (seller) DO UPDATE SET absent = NULL'
const FORGET_KNOWN = 'DELETE FROM strangers WHERE number IN (SELECT value FROM json_each(?))'
const KEEP_ABSENT = 'UPDATE strangers SET absent = ? WHERE number IN (SELECT value FROM json_each(?))'
// A limited number in one transaction: the next reports delete more. A cross join reads the few strangers first.
const FORGET_SELLERS = `
DELETE FROM sellers WHERE seller IN (
  SELECT sellers.seller FROM strangers CROSS JOIN sellers ON sellers.seller = strangers.seller
  WHERE absent <= ? AND changed <= ? AND NOT EXISTS (SELECT 1 FROM failures WHERE failures.seller = sellers.seller)
  LIMIT 5000)`
const FORGET_ABSENT = `
DELETE FROM strangers WHERE absent <= ?
  AND NOT EXISTS (SELECT 1 FROM sellers WHERE sellers.seller = strangers.seller)`

type Execute = (query: string, ...bindings: readonly (string | number)[]) => unknown

/** Called after the other changes of sellers and failures. */
export function applyStrangers(
  execute: Execute,
  { strangers, met, forgetAbsent }: Pick<LedgerChanges, 'strangers' | 'met' | 'forgetAbsent'>,
): void {
  for (const seller of strangers ?? []) execute(KEEP, seller)
  if (met !== undefined) {
    execute(FORGET_KNOWN, JSON.stringify(met.known))
    execute(KEEP_ABSENT, met.sequence, JSON.stringify(met.absent))
  }
  if (forgetAbsent === undefined) return
  execute(FORGET_SELLERS, forgetAbsent, forgetAbsent)
  execute(FORGET_ABSENT, forgetAbsent)
}
