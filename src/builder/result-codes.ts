/** Classifies SQLite's errors. Source: https://sqlite.org/rescode.html */

/** The file is damaged, is not a database, or has lost a table, a column or an index. */
export function isDamage(error: unknown): boolean {
  const SQLITE_ERROR = 1
  const SQLITE_CORRUPT = 11
  const SQLITE_NOTADB = 26
  const code = readResultCode(error)
  if (code === SQLITE_ERROR) return error instanceof Error && LOST.test(error.message)
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB
}

const LOST = /^no such (table|index|column)|has no column named/

/** Another connection holds a lock that is needed. */
export function isBusy(error: unknown): boolean {
  const SQLITE_BUSY = 5
  return readResultCode(error) === SQLITE_BUSY
}

/** The file is read-only. */
export function isReadOnly(error: unknown): boolean {
  const SQLITE_READONLY = 8
  return readResultCode(error) === SQLITE_READONLY
}

/** Returns 0 for an error that is not SQLite's. The higher bits of an extended result code hold details. */
export function readResultCode(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
}
