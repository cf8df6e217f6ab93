/** Classifies SQLite's errors. Source: https://sqlite.org/rescode.html */

/** Returns true if the file is damaged or cut off, is not a database, or has lost a table, a column or an index. */
export function isDamage(error: unknown): boolean {
  const SQLITE_ERROR = 1
  const SQLITE_CORRUPT = 11
  const SQLITE_NOTADB = 26
  const SQLITE_IOERR_SHORT_READ = 522
  const code = readResultCode(error)
  if (code === SQLITE_ERROR) return error instanceof Error && LOST.test(error.message)
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB || readCode(error) === SQLITE_IOERR_SHORT_READ
}

const LOST = /^no such (table|index|column)|has no column named/

/** Returns true if another connection holds a lock that the statement needs. */
export function isBusy(error: unknown): boolean {
  const SQLITE_BUSY = 5
  return readResultCode(error) === SQLITE_BUSY
}

export function isReadOnly(error: unknown): boolean {
  const SQLITE_READONLY = 8
  return readResultCode(error) === SQLITE_READONLY
}

/** Returns true if the file may not be written, or is not a file. */
export function isUnusable(error: unknown): boolean {
  const SQLITE_CANTOPEN = 14
  return isReadOnly(error) || readResultCode(error) === SQLITE_CANTOPEN
}

/**
 * Returns SQLite's primary result code, which is the lowest 8 bits of the code, or 0 for an error of another origin.
 */
export function readResultCode(error: unknown): number {
  return readCode(error) & 0xff
}

function readCode(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0
}
