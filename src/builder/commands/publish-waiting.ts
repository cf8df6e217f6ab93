/** `publish:waiting`: builds and publishes the pending changes, in a workflow that has already restored the state. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { lookAgain } from '../../domain/work/try-again.ts'
import type { CommandDefinition, CommandResult, Terminal } from './command.ts'
import { EXIT } from './exit-codes.ts'
import { formatExitCodes } from './program.ts'
import { runNode, VITRINA } from './run-node.ts'

/** Max tries while another builder is at work. */
const TRIES = 30

interface Options {
  readonly isFull: boolean
  readonly allowsShrink: boolean
  /** JSON of a service account; empty if the machine has credentials or needs none. */
  readonly credentials: string
}

interface Runner {
  /** Runs a command of the program. Returns its exit code, `null` after a signal. */
  run(args: readonly string[], end: AbortSignal, variables: Record<string, string>): Promise<number | null>
  /** Milliseconds between tries. */
  readonly pause: number
}

/**
 * A command to the runner of GitHub Actions. `Terminal` breaks up such commands, because its text may come from
 * documents; this text is fixed.
 */
const WARNING = '::warning::Some pages failed, or removals are held back: these pages stay just as they were'

const RUNNER: Runner = { run: (args, ...rest) => runNode([VITRINA, ...args], ...rest), pause: 20_000 }

const HELP = `

Settings: those of rebuild and deploy, and
  GOOGLE_CREDENTIALS   JSON of a service account, passed on in a temporary file`

export const command: CommandDefinition<Options> = {
  configure: (parser) =>
    parser
      .option('--full', 'read all documents of the source again')
      .option('--allow-shrink', 'accept a change that removes much of the site')
      .addHelpText(
        'after',
        formatExitCodes('done', 'attention', 'usage', 'source', 'shrink', 'busy', 'unfinished') + HELP,
      ),
  parse: ({ flags, environment }) => ({
    isFull: flags['full'] === true,
    allowsShrink: flags['allowShrink'] === true,
    credentials: environment['GOOGLE_CREDENTIALS'] ?? '',
  }),
  run: (options, terminal) => publishWaiting(options, terminal, RUNNER),
}

/**
 * Builds and publishes the pending changes. If `isFull` is set, first requests a full read by a notice, so that the
 * read happens even if this run is cancelled. Failed pages and held removals cause a warning instead of a failure,
 * because these pages keep their old version, and all other pages are published.
 */
export async function publishWaiting(
  { isFull, allowsShrink, credentials }: Options,
  { listenForEnd }: Pick<Terminal, 'listenForEnd'>,
  { run, pause }: Runner,
): Promise<CommandResult> {
  const end = listenForEnd()
  const { variables, remove } = writeCredentials(credentials)
  const runHere = async (...args: readonly string[]): Promise<number> =>
    end.aborted ? EXIT.unfinished : ((await run(args, end, variables)) ?? EXIT.unfinished)
  try {
    const noticed = isFull ? await runHere('notify', '--full') : EXIT.done
    if (noticed !== EXIT.done) return { exit: noticed }
    const rebuild = ['rebuild', '--pending', '--deploy', ...(allowsShrink ? ['--allow-shrink'] : [])]
    const exit = await lookAgain(() => runHere(...rebuild), {
      isDone: (code) => code !== EXIT.busy || end.aborted,
      pauses: Array(TRIES - 1).fill(pause),
      wait: (ms) => wait(ms, null, { signal: end }).catch(() => {}),
    })
    if (exit !== EXIT.pageFailed) return { exit }
    console.error(WARNING)
    return { exit: EXIT.done }
  } finally {
    remove()
  }
}

/**
 * Writes the credentials to a file. Returns the variables that name the file and clear `GOOGLE_CREDENTIALS`, and a
 * function that removes the file. An empty text needs neither file nor variables.
 */
function writeCredentials(text: string): { variables: Record<string, string>; remove: () => void } {
  if (text === '') return { variables: {}, remove: () => {} }
  const folder = mkdtempSync(join(tmpdir(), 'vitrina-credentials-'))
  const file = join(folder, 'google.json')
  writeFileSync(file, text, { mode: 0o600 })
  return {
    variables: { GOOGLE_APPLICATION_CREDENTIALS: file, GOOGLE_CREDENTIALS: '' },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
