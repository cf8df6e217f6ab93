/** `export <file.sqlite> <folder>`: writes the documents of an embedded database into two NDJSON files. */
import { formatCount } from '../../format-numbers.ts'
import { exportDatabase } from '../../sources/embedded/interchange.ts'
import type { CommandDefinition } from '../command.ts'
import { parseDatabaseFile, runTransfer, TRANSFER_EXITS } from './transfer.ts'

interface ExportOptions {
  readonly file: string
  readonly folder: string
}

export const command: CommandDefinition<ExportOptions> = {
  exits: TRANSFER_EXITS,
  blank: { documents: 0, leftOut: [] },
  configure: (parser) =>
    void parser
      .argument('<file.sqlite>', 'the database', parseDatabaseFile)
      .argument('<folder>', 'a folder, in which users.ndjson and cataloge.ndjson are replaced'),
  parse: ({ words: [file = '', folder = ''] }) => ({ file, folder }),
  run: ({ file, folder }, terminal) =>
    runTransfer(async (options) => {
      const documents = await exportDatabase(file, folder, options)
      return { line: `${folder}: ${formatCount(documents, 'document')} written`, report: { documents } }
    }, terminal),
}
