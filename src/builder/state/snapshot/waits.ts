/**
 * Pending changes: for each view, one row per seller whose newest data the view may lack. A read that finds a change of
 * a seller writes the seller's row in the transaction of the read; the row is deleted once the view shows the change. A
 * row without a seller means that the whole view has to be compared, e.g. because the view is new. waits-sql.ts has the
 * statements.
 */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { runTransaction } from '../sqlite/transactions.ts'
import { readNumber } from '../sqlite/values.ts'
import {
  ADD_WAITS,
  ADD_TO_INDEX,
  ADD_TO_NEXT,
  BEGIN_RUN,
  COMPARE,
  COMPARE_INDEX,
  DROP_INDEX,
  LIST,
  POSTPONE,
  READ,
  REGISTER,
  REGISTER_NEW,
  SETTLE,
} from './waits-sql.ts'

/**
 * `files`: the pages in the output folder. A read writes its rows. `index`: the search index. A row of `index` is
 * written when the row of `files` is deleted.
 */
export type WaitingView = 'files' | 'index'

export interface LateSeller {
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
  /**
   * Begins a run. If the view `files` is not registered, registers it and makes its comparison due. Deletes the view
   * `index` with its rows if the site has no index.
   */
  beginRun(hasIndex?: boolean): void
  /** Returns the number of the run that began most recently. */
  readRun(): number
  /**
   * Stores the basis of a view, that is, what its rows refer to, such as the address of the site. If the basis differs
   * from the stored one, a comparison of the whole view becomes due.
   */
  register(view: WaitingView, basis: string): void
  /** Returns `null` for a view that is not registered. */
  readBasis(view: WaitingView): string | null
  compare(view: WaitingView): void
  /**
   * Makes a comparison of `index` due if the site has that view. Called after a full read: another builder may have put
   * data of sellers into the index, and only a partial read names these sellers.
   */
  compareIndex(): void
  /** Returns whether a comparison of the view is due. */
  isCompared(view: WaitingView): boolean
  /** Makes sellers wait for the view `files`. */
  add(sellers: readonly string[]): void
  /**
   * Returns the sellers who wait since the run `upTo` or an earlier one, by default all, in order of their ids. Sellers whose last update failed come last, so that they delay no
   * others if they fail again. For `index`, leaves out the sellers who still wait for `files`.
   */
  list(view: WaitingView, upTo?: number): readonly string[]
  /** Returns the sellers whose last update of the view failed. */
  readFailed(view: WaitingView): readonly LateSeller[]
  /** Makes sellers wait for `index`, which may lack their data of the given run. Does not change existing rows. */
  addToIndex(sellers: readonly string[], run: number): void
  /**
   * Deletes the rows of these sellers, because the view shows them. If the view is `files` and the site has an index,
   * the sellers of these rows then wait for `index`.
   */
  settle(view: WaitingView, sellers: readonly string[]): void
  /**
   * Ends a due comparison: from now on, only sellers with a row of their own count as not yet shown by the view. If the
   * view is `files` and the site has an index, a comparison of `index` becomes due.
   */
  settleComparison(view: WaitingView): void
  /** Notes a failure for each of these sellers. Sellers without a row wait from now on. */
  postpone(view: WaitingView, failures: readonly Failure[]): void
}

/** Argument that selects the row of a comparison, whose seller is the empty text. No real seller has an empty id. */
const ALL = JSON.stringify([''])

/**
 * `onAdd` is called with the sellers of each `add` and `postpone`. They may wait for a reason other than a change that
 * a read found.
 */
export function createWaits(database: DatabaseSync, onAdd: (sellers: readonly string[]) => void): Waits {
  const run = (sql: string, ...values: SQLInputValue[]): boolean =>
    database.prepare(sql).run(...values).changes > 0
  const compare = (view: WaitingView): void => void run(COMPARE, view)
  const settle = (view: WaitingView, sellers: string): void =>
    runTransaction(database, () => {
      run(ADD_TO_NEXT, view, sellers)
      run(SETTLE, view, sellers)
    })
  return {
    beginRun: (hasIndex = true) =>
      runTransaction(database, () => {
        database.exec(BEGIN_RUN)
        if (!hasIndex) database.exec(DROP_INDEX)
        if (run(REGISTER_NEW)) compare('files')
      }),
    readRun: () => readNumber(database.prepare("SELECT value FROM meta WHERE name = 'run'")),
    register: (view, basis) =>
      runTransaction(database, () => {
        if (run(REGISTER, view, basis)) compare(view)
      }),
    readBasis: (view) => {
      const row = database.prepare('SELECT basis FROM views WHERE view = ?').get(view)
      return row === undefined ? null : String(row['basis'])
    },
    compare,
    compareIndex: () => database.exec(COMPARE_INDEX),
    isCompared: (view) => database.prepare(`${READ} AND seller = ''`).get(view) !== undefined,
    add: (sellers) => {
      if (sellers.length === 0) return
      run(ADD_WAITS, JSON.stringify(sellers))
      onAdd(sellers)
    },
    list: (view, upTo = Infinity) =>
      database
        .prepare(LIST)
        .all({ view, upTo })
        .map(({ seller }) => String(seller)),
    readFailed: (view) => database.prepare(`${READ} AND tries > 0 ORDER BY seller`).all(view).map(toLate),
    addToIndex: (sellers, upTo) => void run(ADD_TO_INDEX, upTo, JSON.stringify(sellers)),
    settle: (view, sellers) => {
      if (sellers.length > 0) settle(view, JSON.stringify(sellers))
    },
    settleComparison: (view) => settle(view, ALL),
    postpone: (view, failures) => {
      if (failures.length === 0) return
      run(POSTPONE, view, JSON.stringify(failures))
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
