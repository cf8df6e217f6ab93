/** Formats errors with advice, for all commands. Cleans the text, which may come from documents or other programs. */
import { cleanText } from '../../../domain/documents/text.ts'
import { createRedactor } from '../../publish/redact.ts'
import { readResultCode } from '../../result-codes.ts'
import type { Environment } from '../command.ts'

/** Advice by the `code` of a system error. The messages of other errors may quote such a code. */
const ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full: free some space, then run again.',
  EDQUOT: 'The quota of this disk is used up: free some space, then run again.',
  EMFILE:
    'This process has reached its limit of open files: raise the limit (ulimit -n 4096), then run again.',
  ENFILE: 'This machine has no file handles left: end other programs, then run again.',
  EACCES: 'Change the permissions of that path, or use another, then run again.',
  EPERM: 'Change the permissions of that path, or use another, then run again.',
  EROFS: 'That disk is read-only: use another folder, then run again.',
  ERR_WORKER_OUT_OF_MEMORY: 'A worker ran out of memory: run again on a machine with more memory.',
}

const CANNOT_OPEN = 14

/** Advice by SQLite's result code. Source: https://www.sqlite.org/rescode.html */
const SQLITE_ADVICE: Readonly<Record<number, string>> = {
  5: 'Another program held that database for too long: wait for it to end, then run again.',
  8: 'That database is read-only: change its permissions, then run again.',
  10: 'That database could not be read or written: check the disk and its free space, then run again.',
  13: 'The disk is full: free some space, then run again.',
  [CANNOT_OPEN]:
    'That database could not be opened: check that its folder exists and is writable, and that the limit of open files is high enough (ulimit -n 4096), then run again.',
}

/** Returns one or more lines, without secrets. */
export function formatError(error: Error, environment: Environment): string {
  const redact = createRedactor(environment)
  const lines = redact(error.message).split('\n')
  const text = lines.map((line) => (/^ */.exec(line)?.[0] ?? '') + cleanText(line)).join('\n')
  const advice = findAdvice(error)
  return advice === null ? text : `${text}. ${advice}`
}

/** Returns advice on the error, or on the first of its causes for which there is advice; `null` if there is none. */
function findAdvice(error: unknown): string | null {
  for (let one = error; one instanceof Error; one = one.cause) {
    const found = adviseOn(one)
    if (found !== null) return found
  }
  return null
}

function adviseOn(error: Error): string | null {
  const code = 'code' in error ? String(error.code) : ''
  return ADVICE[code] ?? SQLITE_ADVICE[readResultCode(error)] ?? findQuotedAdvice(error.message)
}

/**
 * Returns advice on the system or SQLite error that `text` quotes; `null` if it quotes none for which there is advice.
 * For example, the reason of a failed page may quote an error.
 */
export function findQuotedAdvice(text: string): string | null {
  if (text.includes('unable to open database file')) return SQLITE_ADVICE[CANNOT_OPEN] ?? null
  const code = text.includes('too many open files')
    ? 'EMFILE'
    : text.match(/\bE[A-Z]{3,}\b/g)?.find((word) => Object.hasOwn(ADVICE, word))
  return code === undefined ? null : (ADVICE[code] ?? null)
}
