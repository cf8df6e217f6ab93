/** Runs commands in this process: they start at once, and a test may replace their clock. */
import type { CommandDefinition } from '../../src/builder/commands/command.ts'
import { EXIT, findExitCode } from '../../src/builder/commands/exit-codes.ts'
import { formatError } from '../../src/builder/commands/format-error.ts'
import { command as photos } from '../../src/builder/commands/photos.ts'
import { parseCommand } from '../../src/builder/commands/program.ts'
import type { RebuildReport } from '../../src/builder/commands/rebuild/rebuild-report.ts'
import { command as rebuild } from '../../src/builder/commands/rebuild/run-rebuild.ts'
import type { PhotoReport } from '../../src/builder/commands/run-photos.ts'
import type { RebuildPlace } from './rebuild.ts'

export interface HereRun<Report> {
  readonly code: number
  /** That of `--json`. */
  readonly report: Report
  /** All lines for people. */
  readonly said: string
}

/** Like `runRebuild`, which starts a process. */
export function rebuildHere(
  { source, output, state, env = {} }: RebuildPlace,
  ...options: readonly string[]
): Promise<HereRun<RebuildReport>> {
  const args = ['--source', source, '--out', output, '--state', state, ...options]
  return runHere(rebuild, args, { PHOTOS: 'off', PRODUCT_PAGES: 'off', ...env })
}

export function photosHere(
  { state, env = {} }: Pick<RebuildPlace, 'state' | 'env'>,
  ...options: readonly string[]
): Promise<HereRun<PhotoReport>> {
  return runHere(photos, ['--state', state, ...options], env)
}

async function runHere<Options, Report extends object>(
  definition: CommandDefinition<Options>,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<HereRun<Report>> {
  // As the launcher does: React's development build renders other markup.
  process.env['NODE_ENV'] = 'production'
  const lines: string[] = []
  const say = (line: string): void => void lines.push(line)
  const tell = (exit: number, report: object): HereRun<Report> => ({
    code: exit,
    report: JSON.parse(JSON.stringify({ ...report, exit })) as Report,
    said: lines.join('\n'),
  })
  try {
    const options = parseCommand({ definition }, args, environment)
    if (options === null) return tell(EXIT.done, {})
    const { exit, report = {} } = await definition.run(options, {
      print: say,
      warn: say,
      report: () => {},
      progress: { update: () => {}, done: () => {}, fail: () => {} },
      listenForEnd: () => new AbortController().signal,
    })
    return tell(exit, report)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const text = formatError(error, environment)
    say(text)
    return tell(findExitCode(error), { ...definition.blank, error: text })
  }
}
