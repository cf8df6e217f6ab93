/**
 * Pending changes: one row per seller whose newest data the pages may lack. A read that finds a change of a seller
 * writes the seller's row in the transaction of the read; the row is deleted once the pages show the change. A row
 * without a seller means that all pages have to be compared. waits-sql.ts has the statements.
 */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { runTransaction } from '../sqlite/transactions.ts'
import {
  ADD_WAITS,
  COMPARE,
  FIND_COMPARISON,
  LIST,
  LIST_FAILED,
  POSTPONE,
  REGISTER,
  SETTLE,
} from './waits-sql.ts'

interface LateSeller {
  readonly seller: string
  /** When the seller began to wait, in milliseconds since 1970. */
  readonly since: number
  /** Number of consecutive failures, and the reason for the last one. */
  readonly tries: number
  readonly reason: string
}

interface Failure {
  readonly seller: string
  readonly reason: string
}

export interface Waits {
  /** Begins a run. The first run makes a comparison of all pages due; before it, no changes are noted. */
  beginRun(): void
  /** Makes a comparison of all pages due. */
  compare(): void
  /** Returns whether a comparison of all pages is due. */
  isCompared(): boolean
  /** Makes sellers wait. */
  add(sellers: readonly string[]): void
  /**
   * Returns the sellers who wait, in order of their ids. Sellers whose last update failed come last, so that they delay
   * no others if they fail again.
   */
  list(): readonly string[]
  /** Returns the sellers whose last update failed. */
  readFailed(): readonly LateSeller[]
  /** Deletes the rows of these sellers, because the pages show them. */
  settle(sellers: readonly string[]): void
  /** Ends a due comparison: from now on, only sellers with a row of their own count as not yet shown. */
  settleComparison(): void
  /** Notes a failure for each of these sellers. Sellers without a row wait from now on. */
  postpone(failures: readonly Failure[]): void
}

/** Argument that selects the row of a comparison, whose seller is the empty text. No real seller has an empty id. */
const ALL = ['']

/**
 * `onAdd` is called with the sellers of each `add` and `postpone`. They may wait for a reason other than a change that
 * a read found.
 */
export function createWaits(database: DatabaseSync, onAdd: (sellers: readonly string[]) => void): Waits {
  const run = (sql: string, ...values: SQLInputValue[]): boolean =>
    database.prepare(sql).run(...values).changes > 0
  const compare = (): void => void run(COMPARE)
  const settle = (sellers: readonly string[]): void => void run(SETTLE, JSON.stringify(sellers))
  return {
    beginRun: () =>
      runTransaction(database, () => {
        if (run(REGISTER)) compare()
      }),
    compare,
    isCompared: () => database.prepare(FIND_COMPARISON).get() !== undefined,
    add: (sellers) => {
      if (sellers.length === 0) return
      run(ADD_WAITS, JSON.stringify(sellers))
      onAdd(sellers)
    },
    list: () =>
      database
        .prepare(LIST)
        .all()
        .map(({ seller }) => String(seller)),
    readFailed: () => database.prepare(LIST_FAILED).all().map(toLate),
    settle,
    settleComparison: () => settle(ALL),
    postpone: (failures) => {
      if (failures.length === 0) return
      run(POSTPONE, JSON.stringify(failures))
      onAdd(failures.map(({ seller }) => seller))
    },
  }
}

function toLate({ seller, since, tries, reason }: Record<string, unknown>): LateSeller {
  return {
    seller: String(seller),
    since: Number(since),
    tries: Number(tries),
    reason: String(reason),
  }
}
