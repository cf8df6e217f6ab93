/** `import` and `export`: copy documents between a folder and an embedded database. */
import { InvalidArgumentError, Option } from 'commander'
import type { Problem } from '../../../domain/documents/document.ts'
import { formatId } from '../../../domain/documents/format-id.ts'
import { formatCount, formatNumber } from '../../format-numbers.ts'
import type { ImportMode, TransferOptions } from '../../sources/embedded/interchange.ts'
import { exportDatabase, importFolder } from '../../sources/embedded/interchange.ts'
import { isDatabaseFile } from '../../sources/source-kinds.ts'
import type { CommandDefinition, CommandResult, Parsed, Terminal } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { listFirst } from '../terminal/format-lines.ts'

interface CopyOptions {
  readonly folder: string
  readonly file: string
  readonly mode: ImportMode
}

export const importing: CommandDefinition<CopyOptions> = {
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
    copy(terminal, async (options) => {
      const report = await importFolder(folder, file, { ...options, mode })
      const { documents, inserted, updated, removed } = report
      const counts = `${formatNumber(inserted)} new, ${formatNumber(updated)} changed, ${formatNumber(removed)} removed`
      terminal.print(`${file}: ${formatCount(documents, 'document')} read, ${counts}`)
      return report
    }),
}

export const exporting: CommandDefinition<Omit<CopyOptions, 'mode'>> = {
  blank: { documents: 0, leftOut: [] },
  configure: (parser) =>
    void parser
      .argument('<file.sqlite>', 'the database', parseDatabaseFile)
      .argument('<folder>', 'a folder, in which users.ndjson and cataloge.ndjson are replaced'),
  parse: ({ words: [file = '', folder = ''] }) => ({ file, folder }),
  run: ({ file, folder }, terminal) =>
    copy(terminal, async (options) => {
      const documents = await exportDatabase(file, folder, options)
      terminal.print(`${folder}: ${formatCount(documents, 'document')} written`)
      return { documents }
    }),
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

const SHOWN = 20

/** Lists the documents that `work` leaves out. Nothing has changed if it rejects. */
async function copy(
  { warn, progress }: Terminal,
  work: (options: TransferOptions) => Promise<object>,
): Promise<CommandResult> {
  const leftOut: Problem[] = []
  const report = await work({
    progress: (count) => progress.update(formatCount(count, 'document')),
    report: (problem) => leftOut.push(problem),
  })
  const format = ({ collection, id, field, reason }: Problem): string =>
    `${collection}/${formatId(id)}: ${field} ${reason}`
  const lines = listFirst(leftOut, format, { most: SHOWN })
  if (leftOut.length > 0) warn([`${formatCount(leftOut.length, 'document')} left out:`, ...lines].join('\n'))
  return { exit: leftOut.length > 0 ? EXIT.attention : EXIT.done, report: { ...report, leftOut } }
}
