/** `dev` and `build`: Astro's own commands. Unknown options are passed to Astro. */
import type { CommandDefinition } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { formatExitCodes } from '../program.ts'
import { ASTRO, runNode } from '../run-node.ts'

export const dev = createAstroCommand('dev')
export const build = createAstroCommand('build')

// Exit codes that the help of each command lists; an empty list means all. Astro ends with 1 (`attention`) after every
// error of its own. `build` may also end with any other code, because it runs a rebuild and ends with that rebuild's
// exit code.
const EXITS = { dev: ['done', 'attention', 'unfinished'], build: [] } as const

function createAstroCommand(name: 'dev' | 'build'): CommandDefinition<readonly string[]> {
  return {
    configure: (parser) =>
      void parser
        .usage('[astro options]')
        .argument('[options...]', `options of astro ${name}: npx astro ${name} --help lists them`)
        .allowUnknownOption()
        .addHelpText('after', formatExitCodes(...EXITS[name])),
    parse: ({ words }) => words,
    run: async (options, terminal) => {
      const end = terminal.listenForEnd()
      const code = await runNode([ASTRO, name, ...options], end)
      if (code === 0 || (name === 'dev' && end.aborted)) return { exit: EXIT.done }
      return { exit: code === null ? EXIT.unfinished : isExitCode(code) ? code : EXIT.attention }
    },
  }
}

function isExitCode(code: number): boolean {
  return Object.values<number>(EXIT).includes(code)
}
