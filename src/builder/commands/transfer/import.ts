/** `import <folder> <file.sqlite>`: reads the documents of a folder into an embedded database. */
import { Option } from 'commander'
import { formatCount, formatNumber } from '../../format-numbers.ts'
import type { ImportMode, ImportSummary } from '../../sources/embedded/interchange.ts'
import { importFolder } from '../../sources/embedded/interchange.ts'
import type { CommandDefinition, Parsed } from '../command.ts'
import { parseDatabaseFile, runTransfer, TRANSFER_EXITS } from './transfer.ts'

interface ImportCommandOptions {
  readonly folder: string
  readonly file: string
  readonly mode: ImportMode
}

export const command: CommandDefinition<ImportCommandOptions> = {
  exits: TRANSFER_EXITS,
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
    runTransfer(async (options) => {
      const report = await importFolder(folder, file, { ...options, mode })
      return { line: describe(file, report), report }
    }, terminal),
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
