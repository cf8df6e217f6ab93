/** `npm run import -- <folder> <file.sqlite>`: documents of a folder into an embedded database. */
import { Command, Option } from 'commander'
import type { ImportMode, ImportSummary } from '../../sources/embedded/interchange.ts'
import { importFolder } from '../../sources/embedded/interchange.ts'
import { formatCount, parseArguments, parseDatabaseFile, runTransfer } from './transfer.ts'

const command = new Command('npm run import --')
  .description('Import users.ndjson and cataloge.ndjson of a folder into an embedded database.')
  .argument('<folder>', 'where the two files are')
  .argument(
    '<file.sqlite>',
    'the database; a new file unless --merge or --replace is given',
    parseDatabaseFile,
  )
  .addOption(new Option('--merge', 'insert and update what differs in an existing file').conflicts('replace'))
  .option('--replace', 'make the documents of an existing file exactly those of the folder')
  .addHelpText(
    'after',
    '\nExit codes: 0 done; 1 done, some lines left out; 2 wrong usage; 3 failed, nothing changed.',
  )

parseArguments(command)
const [folder = '', file = ''] = command.args
const mode = readMode(command.opts())

process.exitCode = await runTransfer(
  'import',
  (options) => importFolder(folder, file, { ...options, mode }),
  describe,
)

function readMode(options: Record<string, unknown>): ImportMode {
  if (options['merge'] === true) return 'merge'
  return options['replace'] === true ? 'replace' : 'create'
}

function describe({ documents, inserted, updated, removed }: ImportSummary): string {
  const counts = [
    `${formatCount(inserted)} new`,
    `${formatCount(updated)} changed`,
    `${formatCount(removed)} removed`,
  ]
  return `${file}: ${formatCount(documents)} documents read, ${counts.join(', ')}`
}
