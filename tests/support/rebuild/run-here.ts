/** Runs commands in this process: they start at once, and a test may replace their clock. */
import { Writable } from 'node:stream'
import type { CommandDefinition, Environment } from '../../../src/builder/commands/command.ts'
import { EXIT, findExitCode } from '../../../src/builder/commands/exit-codes.ts'
import { formatError } from '../../../src/builder/commands/terminal/format-error.ts'
import { command as photos } from '../../../src/builder/commands/photos.ts'
import { createProgress } from '../../../src/builder/commands/terminal/progress.ts'
import { parseCommand } from '../../../src/builder/commands/program.ts'
import type { RebuildReport } from '../../../src/builder/commands/rebuild/rebuild-report.ts'
import { command as rebuild } from '../../../src/builder/commands/rebuild/run-rebuild.ts'
import type { MadeReport } from '../../../src/builder/pictures/pictures.ts'
import { createTestTerminal } from '../run/test-terminal.ts'
import type { RebuildPlace } from './rebuild.ts'
import { listFlags, WITHOUT_PICTURES } from './rebuild.ts'

export interface HereRun<Report> {
  readonly code: number
  /** The report that `--json` prints. */
  readonly report: Report
  /** Without `--json`. */
  readonly stdout: string
  readonly stderr: string
  /** Both. */
  readonly said: string
}

/** Like `runRebuild`, which starts a process. */
export function rebuildHere(
  place: RebuildPlace,
  ...options: readonly string[]
): Promise<HereRun<RebuildReport>> {
  const args = [...listFlags(place), ...options]
  return runHere({ name: 'rebuild', definition: rebuild }, args, { ...WITHOUT_PICTURES, ...place.env })
}

export function photosHere(
  { output, state, env = {} }: Omit<RebuildPlace, 'source'>,
  ...options: readonly string[]
): Promise<HereRun<MadeReport>> {
  const folders = ['--out', output, '--state', state]
  return runHere({ name: 'photos', definition: photos }, [...folders, ...options], env)
}

interface HereCommand<Options> {
  readonly name: string
  readonly definition: CommandDefinition<Options>
}

/** Returns the options of a command line. `environment` stands for that of the process. */
export function parseHere<Options>(
  definition: CommandDefinition<Options>,
  args: readonly string[],
  environment: Environment,
): Options {
  const options = parseCommand({ name: 'command', definition }, args, () => environment)
  if (options === null) throw new Error('the help was printed')
  return options
}

/** `environment` stands for that of the process. */
export async function runHere<Options, Report extends object>(
  { name, definition }: HereCommand<Options>,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<HereRun<Report>> {
  // As the launcher does: React's development build renders other markup.
  process.env['NODE_ENV'] = 'production'
  let [stdout, stderr] = ['', '']
  const log = new Writable({
    write: (chunk, _encoding, done) => {
      stderr += String(chunk)
      done()
    },
  })
  const progress = createProgress(name, log)
  const tell = (exit: number, report: object): HereRun<Report> => ({
    code: exit,
    report: JSON.parse(JSON.stringify({ ...report, exit })) as Report,
    stdout,
    stderr,
    said: stdout + stderr,
  })
  try {
    const options = parseCommand({ name, definition }, args, () => environment)
    if (options === null) return tell(EXIT.done, {})
    const { exit, report = {} } = await definition.run(options, {
      ...createTestTerminal({ onPrint: (line) => void (stdout += `${line}\n`) }),
      warn: (line) => void (stderr += `${line}\n`),
      progress,
    })
    progress.done('')
    return tell(exit, report)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const text = formatError(error, environment)
    progress.done(text)
    return tell(findExitCode(error), { ...definition.blank, error: text })
  }
}
