/** `dev`: Astro's development server. Unknown options are passed to Astro. */
import type { CommandDefinition } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { ASTRO, runNode } from '../run-node.ts'

export const command: CommandDefinition<readonly string[]> = {
  exits: ['done', 'attention', 'usage', 'unfinished'],
  configure: (parser) =>
    void parser
      .usage('[astro options]')
      .argument('[options...]', 'options of astro dev: npx astro dev --help lists them')
      .allowUnknownOption(),
  parse: ({ words }) => words,
  run: async (options, terminal) => {
    const end = terminal.listenForEnd()
    const code = await runNode([ASTRO, 'dev', ...options], end)
    if (code === 0 || end.aborted) return { exit: EXIT.done }
    return { exit: code === null ? EXIT.unfinished : EXIT.attention }
  },
}
