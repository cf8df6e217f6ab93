/** `set <id> <field> <value>`: changes one field of a document of the embedded database. */
import { formatId } from '../../../domain/documents/format-id.ts'
import { cleanText } from '../../../domain/documents/text.ts'
import type { FieldValue } from '../../sources/embedded/set-field.ts'
import { setField, SETTABLE_PATHS } from '../../sources/embedded/set-field.ts'
import { isDatabaseFile } from '../../sources/source-kinds.ts'
import { UsageError } from '../../files/usage-error.ts'
import type { CommandDefinition } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { DEFAULT_SOURCE } from '../settings.ts'
import { parseDatabaseFile } from './copy-documents.ts'

interface SetOptions extends FieldValue {
  readonly file: string
}

const HELP = `
Fields: ${SETTABLE_PATHS.join(', ')}

  npx vitrina set 9YxJMS9pdOzfiqQ8iOr6 price 1500
  npx vitrina set 9YxJMS9pdOzfiqQ8iOr6 _5ml.available false`

export const command: CommandDefinition<SetOptions> = {
  blank: { id: null, field: null, before: null },
  configure: (parser) =>
    void parser
      .argument('<id>', 'id of the product, or of the seller')
      .argument('<field>', 'the field to change, from the list below')
      .argument('<value>', 'its new value')
      .option('--source <file.sqlite>', 'the database instead of CATALOGUE_SOURCE', parseDatabaseFile)
      .addHelpText('after', HELP),
  parse: ({ flags, words: [id = '', field = '', text = ''], environment }) => {
    const file = String(flags['source'] ?? (environment['CATALOGUE_SOURCE'] || DEFAULT_SOURCE))
    if (!isDatabaseFile(file))
      throw new UsageError(
        `set changes only an embedded database, but CATALOGUE_SOURCE is ${file}: name a .sqlite file with --source`,
      )
    return { id, field, text, file }
  },
  run: async ({ file, ...value }, { print }) => {
    const before = await setField(file, value)
    const old = before === undefined ? 'nothing' : JSON.stringify(before)
    print(cleanText(`${formatId(value.id)}: ${value.field} was ${old}, and is now ${value.text}`))
    print('npm run rebuild renders the pages that show it, and a running npm start does so by itself.')
    return { exit: EXIT.done, report: { id: value.id, field: value.field, before: before ?? null } }
  },
}
