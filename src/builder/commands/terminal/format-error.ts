/** Formats errors with advice, for all commands. Cleans the text, which may come from documents or other programs. */
import { cleanText } from '../../../domain/documents/text.ts'
import { createRedactor } from '../../publish/redact.ts'
import type { Environment } from '../command.ts'

/** Advice by the words of an error of the system or of SQLite, which the message of another error may quote. */
const ADVICE: readonly (readonly [words: RegExp, advice: string])[] = [
  [/\b(ENOSPC|EDQUOT)\b|disk is full/, 'Free some space on that disk'],
  [/\b(EACCES|EPERM|EROFS)\b|readonly database/, 'Change the permissions of that path, or use another'],
  [
    /\bE[MN]FILE\b|too many open files|unable to open database/,
    'Check that the folder exists and is writable, and that the limit of open files is high enough (ulimit -n 4096)',
  ],
  [/database is locked/, 'Wait for the other program that uses that database to end'],
  [/disk I\/O error/, 'Check the disk and its free space'],
  [/out of memory|memory limit/, 'Use a machine with more memory'],
]

/** Returns one or more lines, without secrets. */
export function formatError(error: Error, environment: Environment): string {
  const redact = createRedactor(environment)
  const lines = redact(error.message).split('\n')
  const text = lines.map((line) => (/^ */.exec(line)?.[0] ?? '') + cleanText(line)).join('\n')
  const advice = findAdvice(joinMessages(error))
  return advice === null ? text : `${text}. ${advice}`
}

/** Returns advice on the error that the text quotes; `null` if there is none. */
export function findAdvice(text: string): string | null {
  const advice = ADVICE.find(([words]) => words.test(text))?.[1]
  return advice === undefined ? null : `${advice}, then run again.`
}

/** Returns the messages of the error and of its causes. */
function joinMessages(error: unknown): string {
  return error instanceof Error ? `${error.message}\n${joinMessages(error.cause)}` : ''
}
