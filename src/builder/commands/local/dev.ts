/** `dev`: Astro's development server. Unknown options are passed to Astro. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { ROOT } from '../../files/project-folder.ts'
import type { CommandDefinition } from '../command.ts'
import { EXIT } from '../exit-codes.ts'

export const ASTRO = join(ROOT, 'node_modules/astro/bin/astro.mjs')

export const command: CommandDefinition<readonly string[]> = {
  configure: (parser) =>
    void parser
      .usage('[astro options]')
      .argument('[options...]', 'options of astro dev: npx astro dev --help lists them')
      .allowUnknownOption(),
  parse: ({ words }) => words,
  run: async (options, terminal) => {
    const end = terminal.listenForEnd()
    const code = await runNode([ASTRO, 'dev', ...options], end)
    return { exit: code === 0 || end.aborted ? EXIT.done : EXIT.attention }
  },
}

/**
 * Runs a script of a package with this Node, in the project's folder. The process inherits the terminal, and gets SIGTERM
 * when `end` aborts. Returns its exit code; `null` if a signal ended it.
 */
export async function runNode(args: readonly string[], end?: AbortSignal): Promise<number | null> {
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit' })
  end?.addEventListener('abort', () => void child.kill())
  const [code] = await once(child, 'exit')
  return code
}
