/** What SQLite's errors mean. Source: https://sqlite.org/rescode.html */

/** The file holds something else than a sound database. */
export function isDamage(error: unknown): boolean {
  const SQLITE_CORRUPT = 11
  const SQLITE_NOTADB = 26
  const code = readCode(error)
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB
}

/** Another connection has the file, or what is wanted of it. */
export function isBusy(error: unknown): boolean {
  const SQLITE_BUSY = 5
  return readCode(error) === SQLITE_BUSY
}

// Without the details, which stand in the higher bits.
function readCode(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
}
