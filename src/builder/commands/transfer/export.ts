/** `export <file.sqlite> <folder>`: writes the documents of an embedded database into two NDJSON files. */
import { formatCount } from '../../format-numbers.ts'
import { exportDatabase } from '../../sources/embedded/interchange.ts'
import type { CommandDefinition } from '../command.ts'
import { parseDatabaseFile, runTransfer, TRANSFER_HELP } from './transfer.ts'

interface ExportOptions {
  readonly file: string
  readonly folder: string
}

export const command: CommandDefinition<ExportOptions> = {
  configure: (parser) =>
    void parser
      .argument('<file.sqlite>', 'the database', parseDatabaseFile)
      .argument('<folder>', 'a new or empty folder, or one that holds an earlier export')
      .addHelpText('after', TRANSFER_HELP),
  parse: ({ words: [file = '', folder = ''] }) => ({ file, folder }),
  run: ({ file, folder }, terminal) =>
    runTransfer(
      (options) => exportDatabase(file, folder, options),
      ({ documents }) => `${folder}: ${formatCount(documents, 'document')} written`,
      terminal,
    ),
}
