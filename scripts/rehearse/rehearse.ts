/**
 * The `rehearse` command: follows the docs from an empty account to a live site, then plays later changes, faults and
 * repairs.
 */
import { InvalidArgumentError, Option } from 'commander'
import type { CommandDefinition } from '../../src/builder/commands/command.ts'
import { EXIT } from '../../src/builder/commands/exit-codes.ts'
import { formatExitCodes } from '../../src/builder/commands/program.ts'
import { formatTime } from '../../src/builder/format-numbers.ts'
import { UsageError } from '../../src/builder/state/usage-error.ts'
import type { Act, Scene } from './acts.ts'
import { createPath } from './documented-path.ts'
import { LATER } from './later-acts.ts'
import { OBJECT_ACTS } from './objects-acts.ts'
import { createObjectsPath } from './objects-path.ts'
import { readSteps, TEN_STEPS_HEADING } from './read-operate.ts'
import type { Surroundings } from './surroundings.ts'
import { openSurroundings } from './surroundings.ts'
import { readMessage } from '../../src/domain/documents/errors.ts'

type Lane = 'assets' | 'objects'

const LANES: readonly Lane[] = ['assets', 'objects']

interface RehearseOptions {
  readonly installs: boolean
  readonly lanes: readonly Lane[]
  /**
   * The rehearsal plays the documented path, and continues with the scene that contains the act of this number. If the
   * number belongs to the path, it plays all acts.
   */
  readonly from: number
}

const ACTS: Readonly<
  Record<Lane, () => { readonly path: readonly Act[]; readonly later: readonly Scene[] }>
> = {
  assets: () => ({ path: createPath(readSteps(TEN_STEPS_HEADING)), later: LATER }),
  objects: () => ({ path: createObjectsPath(), later: OBJECT_ACTS }),
}

interface NumberedAct extends Act {
  readonly number: number
  /** Number of all acts of the lane. */
  readonly of: number
}

interface Outcome extends Pick<NumberedAct, 'title' | 'number' | 'of'> {
  readonly lane: Lane
  readonly ms: number
  /** Why the act failed; `null` if it succeeded. */
  readonly problem: string | null
  readonly lines: readonly string[]
}

const HELP = `

Follows the steps of docs/operate.md, and then, with another empty account, those
of docs/objects.md. Runs the commands written there on copies of the project, with
the installed deploy tool, against stand-ins for Cloudflare, GitHub and Google.
Nothing outside this machine is changed, or reached except by --install. A lane
takes 8 to 10 minutes on two busy cores, and ends at the first act that fails,
because later acts rely on it. The report then names the command that continues
from there.`

export const command: CommandDefinition<RehearseOptions> = {
  configure: (parser) =>
    void parser
      .option(
        '--install',
        'install the packages in the first checkout of the workflow, which takes a minute; default: link those of this project',
      )
      .addOption(new Option('--lane <lane>', 'rehearse only this way of hosting').choices(LANES))
      .option(
        '--from <number>',
        'with --lane: after the documented path, continue with the act of this number, or with an earlier one that it relies on',
        parseNumber,
      )
      .addHelpText('after', formatExitCodes('done', 'attention', 'usage', 'unfinished') + HELP),
  parse: ({ flags }) => {
    const from = flags['from']
    if (from !== undefined && flags['lane'] === undefined)
      throw new UsageError('--from needs --lane, because each lane numbers its own acts')
    return {
      installs: flags['install'] === true,
      lanes: LANES.filter((lane) => (flags['lane'] ?? lane) === lane),
      from: typeof from === 'number' ? from : 1,
    }
  },
  run: async ({ installs, lanes, from }, { print, progress, listenForEnd }) => {
    const end = listenForEnd()
    const outcomes: Outcome[] = []
    for (const lane of lanes) {
      if (lanes.length > 1) print(`HOSTING=${lane}`)
      const play = { lane, installs, from, end, print, progress: progress.update }
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
  readonly from: number
  readonly end: AbortSignal
  readonly print: (text: string) => void
  readonly progress: (text: string) => void
}

/**
 * Plays acts of a lane, beginning with an empty account. Ends at the first act that fails, because later acts rely on
 * it, or when `end` aborts.
 */
async function playLane({ lane, installs, from, end, print, progress }: Play): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  const acts = chooseActs(lane, from)
  if (end.aborted) return outcomes
  const around = await openSurroundings({ installs, progress, end })
  try {
    for (const act of acts) {
      progress(`${act.number} of ${act.of}: ${act.title}`)
      const outcome = { lane, ...(await perform(act, around)) }
      outcomes.push(outcome)
      print(formatOutcome(outcome))
      if (outcome.problem !== null || end.aborted) break
    }
  } finally {
    await around.close()
  }
  return outcomes
}

/**
 * Returns the acts of the documented path, then those of the scene that contains the act `from` and of all scenes after
 * it. If `from` belongs to the path, returns all acts. Throws a `UsageError` if there is no such act.
 */
export function chooseActs(lane: Lane, from: number): readonly NumberedAct[] {
  const { path, later } = ACTS[lane]()
  const all = [...path, ...later.flat()]
  if (from > all.length) throw new UsageError(`--from ${from}: this lane has only ${all.length} acts`)
  const numbered = all.map((act, index) => ({ ...act, number: index + 1, of: all.length }))
  const scene = later.findIndex((one) => one.some((act) => all.indexOf(act) + 1 >= from))
  const left = later.slice(0, scene).flat().length
  return [...numbered.slice(0, path.length), ...numbered.slice(path.length + left)]
}

async function perform(act: NumberedAct, around: Surroundings): Promise<Omit<Outcome, 'lane'>> {
  const { title, number, of, run } = act
  const start = performance.now()
  const end = (problem: string | null, lines: readonly string[]): Omit<Outcome, 'lane'> => ({
    title,
    number,
    of,
    ms: performance.now() - start,
    problem,
    lines,
  })
  try {
    return end(null, (await run({ ...around, runsBefore: around.github.runs.length })) ?? [])
  } catch (error) {
    return end(readMessage(error), [])
  }
}

function formatOutcome({ title, number, of, ms, problem, lines }: Outcome): string {
  const place = `${String(number).padStart(2)} of ${of}`
  const line = `${problem === null ? '✓' : '✗'} ${place}  ${title.padEnd(60)} ${formatTime(ms)}`
  return [line, ...(problem?.split('\n') ?? lines).map((one) => `    ${one}`)].join('\n')
}

function formatReport(outcomes: readonly Outcome[]): string {
  const ms = outcomes.reduce((sum, outcome) => sum + outcome.ms, 0)
  const failed = outcomes.filter(({ problem }) => problem !== null)
  if (failed.length === 0) return `\nAll ${outcomes.length} acts went as documented, in ${formatTime(ms)}.`
  const lines = failed.map(
    ({ lane, title, number, of }) =>
      `  HOSTING=${lane} ended at act ${number} of ${of}: ${title}\n    npm run rehearse -- --lane ${lane} --from ${number}`,
  )
  return `\nThe rehearsal failed. To continue at a failed act, run the command below it:\n${lines.join('\n')}`
}

function parseNumber(text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number > 0) return number
  throw new InvalidArgumentError('It must be the number of an act.')
}
