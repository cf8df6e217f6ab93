/**
 * Rows that wait: for each view of the data, the sellers whose newest data it may not show. A row is written in the
 * transaction of the read that found a change of its seller, and deleted once the view shows the change. A view that is
 * new or has changed has a row of its own: it is compared with the snapshot. waits-sql.ts has the statements.
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
  DROP_OTHERS,
  LIST,
  POSTPONE,
  READ,
  REGISTER,
  REGISTER_NEW,
  SETTLE,
} from './waits-sql.ts'

/** Reads write rows of the view that the lane has first. */
export type FirstView = 'files' | 'store'
/** `index` shows what `files` has: its row is written when the row of `files` goes. */
export type WaitingView = FirstView | 'index'

export interface LateSeller {
  readonly view: WaitingView
  readonly seller: string
  /** When she began to wait, in milliseconds since 1970. */
  readonly since: number
  /** Failures in a row, and why the last one failed. */
  readonly tries: number
  readonly reason: string
}

export interface Failure {
  readonly seller: string
  readonly reason: string
}

interface Bounds {
  /** Only rows up to this run. */
  readonly run?: number
  /** Leaves out what failed a short time ago. */
  readonly isDue?: boolean
}

export interface Waits {
  /** Counts a run, whose reads write rows of this view. Views that the site does not have are forgotten with their rows. */
  beginRun(first: FirstView, hasIndex?: boolean): void
  /** Returns the number of the last run. */
  readRun(): number
  /** Names what the rows of a view are compared with. A new view, or one with another basis, is compared whole. */
  register(view: WaitingView, basis: string): void
  /** Returns `null` for a view that is not registered. */
  readBasis(view: WaitingView): string | null
  compare(view: WaitingView): void
  /** Compares `index` after a whole read in place of the named sellers: another builder may have fed those. */
  compareIndex(): void
  /** Returns whether the view waits for a comparison. */
  isCompared(view: WaitingView): boolean
  /** Adds sellers to the first view. */
  add(sellers: readonly string[]): void
  /** Returns sellers in order of their ids; of `index` only those for whom `files` does not wait. */
  list(view: WaitingView, bounds?: Bounds): readonly string[]
  /** Returns the sellers whom the view could not take. */
  readFailed(view: WaitingView): readonly LateSeller[]
  /** Adds sellers to `index` whose data of this run it may not show. Rows that are there stay. */
  addToIndex(sellers: readonly string[], run: number): void
  /** The view has these sellers. */
  settle(view: WaitingView, sellers: readonly string[]): void
  /** The view was compared: it has all but those who wait. */
  settleComparison(view: WaitingView): void
  /** The view could not take these sellers, who wait from now on if they did not before. */
  postpone(view: WaitingView, failures: readonly Failure[]): void
}

/** Takes the place of a seller in the rows: no id of a seller is empty. */
const ALL = JSON.stringify([''])

/** `onAdd` is called with sellers who wait for something that no read has shown. */
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
    beginRun: (first, hasIndex = true) =>
      runTransaction(database, () => {
        database.exec(BEGIN_RUN)
        for (const sql of DROP_OTHERS) run(sql, first, hasIndex ? 'index' : first)
        if (run(REGISTER_NEW, first)) compare(first)
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
    list: (view, { run: upTo = Infinity, isDue = false } = {}) =>
      database
        .prepare(LIST)
        .all({ view, upTo, due: isDue ? 1 : 0 })
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

// The cast is safe because only these views are registered.
function toLate({ view, seller, since, tries, reason }: Record<string, unknown>): LateSeller {
  return {
    view: String(view) as WaitingView,
    seller: String(seller),
    since: Number(since),
    tries: Number(tries),
    reason: String(reason),
  }
}
