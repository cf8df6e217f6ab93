/** Creates errors as Node throws them when a disk or a database fails. */

const FILE_ERRORS = [
  ['ENOSPC', 'no space left on device'],
  ['EIO', 'i/o error'],
  ['EACCES', 'permission denied'],
] as const

/** Source: https://sqlite.org/rescode.html */
const DATABASE_ERRORS = [
  [13, 'database or disk is full'],
  [5, 'database is locked'],
  [10, 'disk I/O error'],
] as const

/** `n` selects the error. */
export function createFileError(method: string, path: string, n: number): Error {
  const [code, words] = FILE_ERRORS[n % FILE_ERRORS.length] ?? FILE_ERRORS[0]
  const syscall = method.replace('Sync', '')
  return Object.assign(new Error(`${code}: ${words}, ${syscall} '${path}'`), { code, syscall, path })
}

export function createDatabaseError(n: number): Error {
  const [errcode, words] = DATABASE_ERRORS[n % DATABASE_ERRORS.length] ?? DATABASE_ERRORS[0]
  return Object.assign(new Error(words), { code: 'ERR_SQLITE_ERROR', errcode, errstr: words })
}
