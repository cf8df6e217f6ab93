/** The common part of import and export: progress, and the report of documents left out. */
import { InvalidArgumentError } from 'commander'
import type { Problem } from '../../../domain/documents/document.ts'
import { formatId } from '../../../domain/documents/format-id.ts'
import { cleanText } from '../../../domain/documents/text.ts'
import { formatCount } from '../../format-numbers.ts'
import { isDatabaseFile } from '../../sources/source-kinds.ts'
import { readResultCode } from '../../result-codes.ts'
import { SourceError } from '../../sources/source.ts'
import type { TransferOptions } from '../../sources/embedded/interchange.ts'
import type { CommandResult, Terminal } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { listFirst } from '../terminal/format-lines.ts'

export const TRANSFER_EXITS = ['done', 'attention', 'usage', 'source', 'unfinished'] as const

const SHOWN = 20

/** Throws an `InvalidArgumentError` unless the name ends as that of a database: it would be opened as a folder. */
export function parseDatabaseFile(name: string): string {
  if (isDatabaseFile(name)) return name
  throw new InvalidArgumentError('The name of a database must end in .sqlite or .db.')
}

/** What was done, for people and for programs. */
interface Transferred {
  readonly line: string
  readonly report: object
}

/**
 * Prints what `transfer` returns, and what it reports. Throws the error of the transfer, after which nothing has
 * changed. An error of the file system or of SQLite becomes a `SourceError`.
 */
export async function runTransfer(
  transfer: (options: TransferOptions) => Promise<Transferred>,
  { print, warn, progress }: Terminal,
): Promise<CommandResult> {
  const leftOut: Problem[] = []
  const { line, report } = await transfer({
    progress: (count) => progress.update(formatCount(count, 'document')),
    report: (problem) => leftOut.push(problem),
  }).catch((error: unknown) => {
    throw isSystemError(error) ? new SourceError(error.message, { cause: error }) : error
  })
  progress.done('')
  print(line)
  if (leftOut.length > 0) warn(formatProblems(leftOut))
  return { exit: leftOut.length > 0 ? EXIT.attention : EXIT.done, report: { ...report, leftOut } }
}

/** Returns whether the error comes from the file system or from SQLite. */
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && ('syscall' in error || readResultCode(error) > 0)
}

function formatProblems(problems: readonly Problem[]): string {
  const format = ({ collection, id, field, reason }: Problem): string =>
    cleanText([`${collection}/${formatId(id)}:`, field, reason].filter((part) => part !== '').join(' '))
  const lines = listFirst(problems, format, { most: SHOWN })
  return [`${formatCount(problems.length, 'document')} left out:`, ...lines.map((line) => `  ${line}`)].join(
    '\n',
  )
}
