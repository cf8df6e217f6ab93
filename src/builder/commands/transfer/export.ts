/** `npm run export -- <file.sqlite> <folder>`: the documents of an embedded database as two NDJSON files. */
import { Command } from 'commander'
import { exportDatabase } from '../../sources/embedded/interchange.ts'
import { formatCount, parseArguments, parseDatabaseFile, runTransfer } from './transfer.ts'

const command = new Command('npm run export --')
  .description('Export the documents of an embedded database as users.ndjson and cataloge.ndjson.')
  .argument('<file.sqlite>', 'the database', parseDatabaseFile)
  .argument('<folder>', 'a new or empty folder, or one that holds an earlier export')
  .addHelpText(
    'after',
    '\nExit codes: 0 done; 1 done, some documents left out; 2 wrong usage; 3 failed, nothing changed.',
  )

parseArguments(command)
const [file = '', folder = ''] = command.args

process.exitCode = await runTransfer(
  'export',
  (options) => exportDatabase(file, folder, options),
  ({ documents }) => `${folder}: ${formatCount(documents)} documents written`,
)
