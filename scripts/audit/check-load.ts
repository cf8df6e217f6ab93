/** `check:load`: runs the tests under imposed conditions, such as busy cores, a single core or another user. */
import { Option } from 'commander'
import type { CommandDefinition, Terminal } from '../../src/builder/commands/command.ts'
import { EXIT } from '../../src/builder/commands/exit-codes.ts'
import { formatExitCodes } from '../../src/builder/commands/program.ts'
import { formatNumber, formatTime } from '../../src/builder/format-numbers.ts'
import type { Condition } from './tests/conditions.ts'
import { CONDITIONS } from './tests/conditions.ts'
import { runTests } from './tests/run-tests.ts'

interface LoadOptions {
  readonly conditions: readonly Condition[]
  readonly tests: readonly string[]
}

const WIDTH = Math.max(...CONDITIONS.map(({ name }) => name.length))

const HELP = `

Conditions (tests run under each of them, unless --only names some):
${CONDITIONS.map(({ name, holds }) => `  ${name.padEnd(WIDTH)}  ${holds}`).join('\n')}

All tests take 5 to 15 minutes under each condition.
Run this command before you finish a change to tests or pages.`

export const command: CommandDefinition<LoadOptions> = {
  configure: (parser) =>
    parser
      .argument('[tests...]', 'test files, or parts of their paths')
      .addOption(
        new Option('--only <condition...>', 'run under these conditions only').choices(
          CONDITIONS.map(({ name }) => name),
        ),
      )
      .addHelpText('after', formatExitCodes('done', 'attention', 'usage', 'unfinished') + HELP),
  parse: ({ flags, words }) => ({
    conditions: CONDITIONS.filter(({ name }) => isChosen(flags['only'], name)),
    tests: words.length > 0 ? words : ['tests'],
  }),
  run: async ({ conditions, tests }, terminal) => {
    const end = terminal.listenForEnd()
    let isGreen = true
    const leftOut: string[] = []
    for (const [index, condition] of conditions.entries()) {
      if (end.aborted) break
      const place = `${index + 1} of ${conditions.length}: ${condition.holds}`
      const obstacle = condition.findObstacle()
      if (obstacle !== null) {
        terminal.print(`- ${place}: left out, ${obstacle}`)
        leftOut.push(condition.name)
      } else if (!(await runUnder(condition, { place, tests, end, terminal }))) isGreen = false
    }
    terminal.progress.done('')
    const isWell = isGreen && !end.aborted
    const except = leftOut.length === 0 ? '' : `, except those left out: ${leftOut.join(', ')}`
    terminal.print(
      isWell
        ? `Tests passed under each condition${except}.`
        : 'Tests failed under a condition, or were stopped.',
    )
    return { exit: isWell ? EXIT.done : EXIT.attention }
  },
}

function isChosen(only: unknown, name: string): boolean {
  return !Array.isArray(only) || only.includes(name)
}

interface Run {
  readonly place: string
  readonly tests: readonly string[]
  readonly end: AbortSignal
  readonly terminal: Terminal
}

/** Runs the tests under the condition. Prints the result, and returns whether all tests passed. */
async function runUnder(condition: Condition, { place, tests, end, terminal }: Run): Promise<boolean> {
  const { print, warn, progress } = terminal
  progress.update(place)
  const begin = performance.now()
  const { start, end: finish } = condition.prepare()
  let files = 0
  const onResult = (): void => progress.update(`${place}: file ${formatNumber((files += 1))}`)
  try {
    const { isGreen, passed, problems } = await runTests(start, { tests, end, onResult })
    const figures = `${formatNumber(passed)} tests passed in ${formatTime(performance.now() - begin)}`
    print(`${isGreen ? '✓' : '✗'} ${place}: ${figures}`)
    for (const problem of problems) warn(`    ${problem}`)
    return isGreen
  } finally {
    finish()
  }
}
