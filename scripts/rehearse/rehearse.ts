/** `rehearse`: takes the documented path from an empty account to a live site, and what comes after it. */
import { Option } from 'commander'
import type { CommandDefinition } from '../../src/builder/commands/command.ts'
import { EXIT } from '../../src/builder/commands/exit-codes.ts'
import { formatExitCodes } from '../../src/builder/commands/program.ts'
import { formatTime } from '../../src/builder/format-numbers.ts'
import type { Act } from './acts.ts'
import { createPath } from './documented-path.ts'
import { LATER } from './later-acts.ts'
import { OBJECT_ACTS } from './objects-acts.ts'
import { createObjectsPath } from './objects-path.ts'
import { readSteps, TEN_STEPS } from './read-operate.ts'
import type { Surroundings } from './surroundings.ts'
import { openSurroundings } from './surroundings.ts'

type Lane = 'assets' | 'objects'

const LANES: readonly Lane[] = ['assets', 'objects']

interface RehearseOptions {
  readonly installs: boolean
  readonly lanes: readonly Lane[]
}

const ACTS: Readonly<Record<Lane, () => { readonly path: readonly Act[]; readonly later: readonly Act[] }>> =
  {
    assets: () => ({ path: createPath(readSteps(TEN_STEPS)), later: LATER }),
    objects: () => ({ path: createObjectsPath(), later: OBJECT_ACTS }),
  }

interface Outcome {
  readonly title: string
  readonly ms: number
  /** `null` when all was as it must be. */
  readonly problem: string | null
  readonly lines: readonly string[]
}

const HELP = `

Takes the steps of docs/operate.md, and then those of docs/objects.md from another
empty account, with the commands that stand there, on copies of the project, with the installed deploy tool against stand-ins for Cloudflare,
GitHub and Google. Nothing outside of this machine is reached or changed.`

export const command: CommandDefinition<RehearseOptions> = {
  configure: (parser) =>
    void parser
      .option('--install', 'install the packages anew in the first checkout of the workflow (a minute)')
      .addOption(new Option('--lane <lane>', 'only this way of hosting').choices(LANES))
      .addHelpText('after', formatExitCodes('done', 'attention', 'usage', 'unfinished') + HELP),
  parse: ({ flags }) => ({
    installs: flags['install'] === true,
    lanes: LANES.filter((lane) => (flags['lane'] ?? lane) === lane),
  }),
  run: async ({ installs, lanes }, { print, progress, listenForEnd }) => {
    const end = listenForEnd()
    const outcomes: Outcome[] = []
    for (const lane of lanes) {
      if (lanes.length > 1) print(`HOSTING=${lane}`)
      const play = { lane, installs, end, print, progress: progress.update }
      outcomes.push(...(await playLane(play)))
    }
    progress.done('')
    print(formatReport(outcomes))
    const isWell = !end.aborted && outcomes.every(({ problem }) => problem === null)
    return { exit: isWell ? EXIT.done : EXIT.attention }
  },
}

interface Play {
  readonly lane: Lane
  readonly installs: boolean
  readonly end: AbortSignal
  readonly print: (text: string) => void
  readonly progress: (text: string) => void
}

/** From an empty account on. */
async function playLane({ lane, installs, end, print, progress }: Play): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  if (end.aborted) return outcomes
  const around = await openSurroundings({ installs, progress })
  try {
    const { path, later } = ACTS[lane]()
    for (const act of [...path, ...later]) {
      // Without a step of the path, everything after it would fail as well.
      const isLost = outcomes.slice(0, path.length).some(({ problem }) => problem !== null)
      if (end.aborted || isLost) break
      progress(act.title)
      outcomes.push(await perform(act, around))
      print(formatOutcome(outcomes.at(-1)))
    }
  } finally {
    await around.close()
  }
  return outcomes
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
