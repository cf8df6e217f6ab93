/**
 * Opens one state of an embedded database for reading. Takes no lock if it can avoid one, because the program `sqlite3`
 * fails at once if the file is locked. Instead, the view is checked after the reads, and opened again if another
 * program wrote meanwhile.
 */
import type { DatabaseSync } from 'node:sqlite'
import { readResultCode } from '../../result-codes.ts'
import { connect, explainErrors, prepare, requireFile } from './embedded-file.ts'
import { isFit, isSound, mend, requireDocuments } from './embedded-mend.ts'
import type { FileStamp } from './file-stamp.ts'
import { isBeingWritten, readStamp } from './file-stamp.ts'
import { ReadAgainError } from '../source.ts'

export interface DatabaseView {
  readonly database: DatabaseSync
  /** The file's stamp, read before the database was opened. */
  readonly stamp: FileStamp
  /**
   * False if the file lacks the mark, columns, index, triggers or log of `embedded-schema.ts`, and was not repaired.
   * Then every read scans all rows.
   */
  readonly isSound: boolean
  /** True if a connection that is opened later reads the same state, as long as `confirm` does not throw. */
  readonly isShared: boolean
  /** Throws a `ReadAgainError` if the view took no lock and another program wrote since it was opened. */
  confirm(): void
}

/** Milliseconds for which opening without a lock is retried while other programs write. */
const PATIENCE = 1_000
const PAUSE = 2

/**
 * With `isDry`, the file is not repaired. A view that is opened after `deadline`, or of a file with a write-ahead log,
 * takes a lock, so its `confirm` never throws.
 */
export function openView(
  path: string,
  isDry: boolean,
  deadline = performance.now() + PATIENCE,
): DatabaseView {
  return explainErrors(path, () => {
    requireFile(path)
    const view = openPresent(path, deadline)
    if (view.isSound || isDry || !isFit(view.database)) return view
    view.database.close()
    tryToMend(path)
    return openPresent(path, deadline)
  })
}

function openPresent(path: string, deadline: number): DatabaseView {
  for (;;) {
    const isLate = performance.now() >= deadline
    const stamp = readStamp(path)
    const isWritten = isBeingWritten(path)
    try {
      if (isLate || stamp.hasLog) return openLocked(path, stamp)
      if (!isWritten) return openUnlocked(path, stamp)
    } catch (error) {
      if (!(error instanceof ReadAgainError)) throw error
    }
    sleep(PAUSE)
  }
}

function openUnlocked(path: string, stamp: FileStamp): DatabaseView {
  const confirm = (): void => {
    if (readStamp(path).version !== stamp.version || isBeingWritten(path)) throw new ReadAgainError(path)
  }
  try {
    return createView(path, { database: connect(path, 'unlocked'), stamp, isShared: true, confirm })
  } catch (error) {
    confirm()
    throw error
  }
}

// Opens the file for writing if there is no write-ahead log, because only a writable connection can roll back the
// transaction of a killed program. With a log no rollback is needed, and closing a writable connection would move the
// log into the file.
function openLocked(path: string, stamp: FileStamp): DatabaseView {
  const database = connect(path, stamp.hasLog ? 'reading' : 'writing')
  return createView(path, { database, stamp, isShared: false, confirm: () => {} })
}

function createView(path: string, opened: Omit<DatabaseView, 'isSound'>): DatabaseView {
  let sound = false
  prepare(opened.database, (database) => {
    database.exec('BEGIN')
    requireDocuments(path, database)
    sound = isSound(database)
  })
  return { ...opened, isSound: sound }
}

/** Changes nothing if the file cannot be written, or if another program has inserted an unfit row meanwhile. */
function tryToMend(path: string): void {
  const [PERMISSION, READONLY, CANTOPEN, CONSTRAINT, AUTH] = [3, 8, 14, 19, 23]
  try {
    prepare(connect(path, 'writing'), (database) => mend(path, database)).close()
  } catch (error) {
    if (![PERMISSION, READONLY, CANTOPEN, CONSTRAINT, AUTH].includes(readResultCode(error))) throw error
  }
}

function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
