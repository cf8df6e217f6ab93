/** `import` and `export`: copy documents between a folder and an embedded database. */
import { InvalidArgumentError, Option } from 'commander'
import type { Problem } from '../../../domain/documents/document.ts'
import { formatId } from '../../../domain/documents/format-id.ts'
import { cleanText } from '../../../domain/documents/text.ts'
import { formatCount, formatNumber } from '../../format-numbers.ts'
import { readResultCode } from '../../result-codes.ts'
import type { ImportMode, ImportSummary, TransferOptions } from '../../sources/embedded/interchange.ts'
import { exportDatabase, importFolder } from '../../sources/embedded/interchange.ts'
import { isDatabaseFile } from '../../sources/source-kinds.ts'
import { SourceError } from '../../sources/source.ts'
import type { CommandDefinition, CommandResult, Parsed, Terminal } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { listFirst } from '../terminal/format-lines.ts'

interface CopyOptions {
  readonly folder: string
  readonly file: string
  readonly mode: ImportMode
}

const EXITS = ['done', 'attention', 'usage', 'source', 'unfinished'] as const

export const importing: CommandDefinition<CopyOptions> = {
  exits: EXITS,
  blank: { documents: 0, inserted: 0, updated: 0, removed: 0, leftOut: [] },
  configure: (parser) =>
    void parser
      .argument('<folder>', 'folder with users.ndjson and cataloge.ndjson')
      .argument('<file.sqlite>', 'the database; a new file without an option', parseDatabaseFile)
      .addOption(
        new Option('--merge', 'insert and update documents in an existing file').conflicts('replace'),
      )
      .option('--replace', 'make the documents of an existing file exactly those of the folder'),
  parse: ({ flags, words: [folder = '', file = ''] }) => ({ folder, file, mode: parseMode(flags) }),
  run: ({ folder, file, mode }, terminal) =>
    copy(async (options) => {
      const report = await importFolder(folder, file, { ...options, mode })
      return { line: describe(file, report), report }
    }, terminal),
}

export const exporting: CommandDefinition<Omit<CopyOptions, 'mode'>> = {
  exits: EXITS,
  blank: { documents: 0, leftOut: [] },
  configure: (parser) =>
    void parser
      .argument('<file.sqlite>', 'the database', parseDatabaseFile)
      .argument('<folder>', 'a folder, in which users.ndjson and cataloge.ndjson are replaced'),
  parse: ({ words: [file = '', folder = ''] }) => ({ file, folder }),
  run: ({ file, folder }, terminal) =>
    copy(async (options) => {
      const documents = await exportDatabase(file, folder, options)
      return { line: `${folder}: ${formatCount(documents, 'document')} written`, report: { documents } }
    }, terminal),
}

/** Throws an `InvalidArgumentError` unless the name ends as that of a database: it would be opened as a folder. */
export function parseDatabaseFile(name: string): string {
  if (isDatabaseFile(name)) return name
  throw new InvalidArgumentError('The name of a database must end in .sqlite or .db.')
}

function parseMode({ merge, replace }: Parsed['flags']): ImportMode {
  if (merge === true) return 'merge'
  return replace === true ? 'replace' : 'create'
}

function describe(file: string, { documents, inserted, updated, removed }: ImportSummary): string {
  const counts = [
    `${formatNumber(inserted)} new`,
    `${formatNumber(updated)} changed`,
    `${formatNumber(removed)} removed`,
  ]
  return `${file}: ${formatCount(documents, 'document')} read, ${counts.join(', ')}`
}

/** What was done, for people and for programs. */
interface Copied {
  readonly line: string
  readonly report: object
}

const SHOWN = 20

/**
 * Prints what `work` returns, and what it reports. Throws its error, after which nothing has changed. An error of the
 * file system or of SQLite becomes a `SourceError`.
 */
async function copy(
  work: (options: TransferOptions) => Promise<Copied>,
  { print, warn, progress }: Terminal,
): Promise<CommandResult> {
  const leftOut: Problem[] = []
  const { line, report } = await work({
    progress: (count) => progress.update(formatCount(count, 'document')),
    report: (problem) => leftOut.push(problem),
  }).catch((error: unknown) => {
    throw isSystemError(error) ? new SourceError(error.message, { cause: error }) : error
  })
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
