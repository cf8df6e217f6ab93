/** `check:edited`: runs the tests of the named files; by default, of the files that differ from the last commit. */
import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import type { CommandDefinition } from '../../src/builder/commands/command.ts'
import { EXIT } from '../../src/builder/commands/exit-codes.ts'
import { formatExitCodes } from '../../src/builder/commands/program.ts'
import { runNode } from '../../src/builder/commands/run-node.ts'
import { ROOT } from '../../src/builder/state/project-folder.ts'
import { UsageError } from '../../src/builder/state/usage-error.ts'
import { VITEST } from '../measure/run-tool.ts'
import { findTests } from './tests/find-tests.ts'

const HELP = `

Tests mirror the paths of the code. For a file of src/domain, all tests of the domain run. For other code,
the test of the same name runs or, if there is none, all tests of the nearest folder. For src/site, the
browser test of the screens runs too, and those whose names share a word with the path of the file.
Run npm test before you finish a change.`

export const command: CommandDefinition<{ readonly files: readonly string[] }> = {
  configure: (parser) =>
    parser
      .argument('[files...]', 'edited files; default: those that differ from the last commit')
      .addHelpText('after', formatExitCodes('done', 'attention', 'usage', 'unfinished') + HELP),
  parse: ({ words }) => ({ files: words.map((word) => relative(ROOT, resolve(word))) }),
  run: async ({ files }, { print, listenForEnd }) => {
    const end = listenForEnd()
    const edited = files.length > 0 ? files : listEditedFiles()
    const tests = findTests(edited, globSync('tests/**/*.test.ts', { cwd: ROOT }))
    if (tests.length === 0) {
      print(
        edited.length === 0
          ? 'Nothing was edited.'
          : `No test belongs to ${edited.join(', ')}. Run npm test to run all tests.`,
      )
      return { exit: EXIT.done }
    }
    const code = await runNode([VITEST, 'run', '--config', 'tests/vitest.config.ts', ...tests], end)
    return { exit: code === 0 ? EXIT.done : EXIT.attention }
  },
}

/**
 * Returns the files that differ from the last commit, including untracked ones, as paths relative to the project's
 * root.
 */
function listEditedFiles(): readonly string[] {
  const list = (...args: readonly string[]): readonly string[] =>
    execFileSync('git', [...args, '-z'], { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      .split('\0')
      .filter((path) => path !== '')
  try {
    const changed = list('diff', '--name-only', '--relative', 'HEAD')
    return [...changed, ...list('ls-files', '--others', '--exclude-standard')]
  } catch (error) {
    throw new UsageError(
      'git could not list the edited files, perhaps because this folder is not a git checkout. Name the files that you edited.',
      {
        cause: error,
      },
    )
  }
}
