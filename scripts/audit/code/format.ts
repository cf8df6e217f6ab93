/** `format`: writes the tables of settings, formats all files, and fixes findings of lint. */
import type { CommandDefinition } from '../../../src/builder/commands/command.ts'
import { EXIT } from '../../../src/builder/commands/exit-codes.ts'
import { runNode } from '../../../src/builder/commands/run-node.ts'
import { OXFMT, OXLINT, PRETTIER } from '../../measure/run-tool.ts'
import { writeSettings } from './write-settings.ts'

/** Command that lists wrongly formatted files. Oxfmt formats all languages of the project except Astro. */
export const CHECK_FORMAT = [OXFMT, '--list-different']
const ASTRO = ['--plugin', 'prettier-plugin-astro', 'src/**/*.astro']
export const CHECK_ASTRO_FORMAT = [PRETTIER, '--config', '.oxfmtrc.json', ...ASTRO, '--list-different']

export const command: CommandDefinition<object> = {
  exits: ['done', 'attention'],
  parse: () => ({}),
  // The steps run one after the other, because they write the same files.
  run: async () => {
    const steps = [[OXFMT], [...CHECK_ASTRO_FORMAT, '--write'], [OXLINT, '--fix']]
    let exit: number = EXIT.done
    writeSettings()
    for (const step of steps) if ((await runNode(step)) !== 0) exit = EXIT.attention
    return { exit }
  },
}
