/** `rehearse`: takes the documented path from an empty account to a live site, and what comes after it. */
import type { CommandDefinition } from '../../src/builder/commands/command.ts'
import { EXIT } from '../../src/builder/commands/exit-codes.ts'
import { formatExitCodes } from '../../src/builder/commands/program.ts'
import { formatTime } from '../../src/builder/format-numbers.ts'
import type { Act } from './acts.ts'
import { createPath } from './documented-path.ts'
import { LATER } from './later-acts.ts'
import { readSteps, TEN_STEPS } from './read-operate.ts'
import type { Surroundings } from './surroundings.ts'
import { openSurroundings } from './surroundings.ts'

interface RehearseOptions {
  readonly installs: boolean
}

interface Outcome {
  readonly title: string
  readonly ms: number
  /** `null` when all was as it must be. */
  readonly problem: string | null
  readonly lines: readonly string[]
}

const HELP = `

Takes the steps of docs/operate.md with the commands that stand there, on copies
of the project, with the installed deploy tool against stand-ins for Cloudflare,
GitHub and Google. Nothing outside of this machine is reached or changed.`

export const command: CommandDefinition<RehearseOptions> = {
  configure: (parser) =>
    void parser
      .option('--install', 'install the packages anew in the first checkout of the workflow (a minute)')
      .addHelpText('after', formatExitCodes('done', 'attention', 'usage', 'unfinished') + HELP),
  parse: ({ flags }) => ({ installs: flags['install'] === true }),
  run: async ({ installs }, { print, progress, listenForEnd }) => {
    const end = listenForEnd()
    const around = await openSurroundings({ installs, progress: progress.update })
    const outcomes: Outcome[] = []
    try {
      const path = createPath(readSteps(TEN_STEPS))
      for (const act of [...path, ...LATER]) {
        // Without a step of the path, everything after it would fail as well.
        const isLost = outcomes.slice(0, path.length).some(({ problem }) => problem !== null)
        if (end.aborted || isLost) break
        progress.update(act.title)
        outcomes.push(await perform(act, around))
        print(formatOutcome(outcomes.at(-1)))
      }
    } finally {
      await around.close()
    }
    progress.done('')
    print(formatReport(outcomes))
    const isWell = !end.aborted && outcomes.every(({ problem }) => problem === null)
    return { exit: isWell ? EXIT.done : EXIT.attention }
  },
}

async function perform({ title, run }: Act, around: Surroundings): Promise<Outcome> {
  const start = performance.now()
  const passed = (): number => performance.now() - start
  try {
    const lines = (await run(around)) ?? []
    return { title, ms: passed(), problem: null, lines }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    return { title, ms: passed(), problem, lines: [] }
  }
}

function formatOutcome(outcome: Outcome | undefined): string {
  if (outcome === undefined) return ''
  const { title, ms, problem, lines } = outcome
  const line = `${problem === null ? '✓' : '✗'} ${title.padEnd(60)} ${formatTime(ms)}`
  return [line, ...(problem?.split('\n') ?? lines).map((one) => `    ${one}`)].join('\n')
}

function formatReport(outcomes: readonly Outcome[]): string {
  const failed = outcomes.filter(({ problem }) => problem !== null)
  const ms = outcomes.reduce((sum, outcome) => sum + outcome.ms, 0)
  if (failed.length === 0) return `\nAll ${outcomes.length} acts went as documented, in ${formatTime(ms)}.`
  const titles = failed.map(({ title }) => `  ${title}`).join('\n')
  return `\n${failed.length} of ${outcomes.length} acts did not go as documented:\n${titles}`
}
