/** `status`: prints one line that says whether a person must act, then the site's status. Ends within 10 s. */
import { setTimeout as wait } from 'node:timers/promises'
import { cleanText } from '../../../domain/documents/text.ts'
import type { LogEntry, Status } from '../../../domain/wire/coordinator-status.ts'
import { openCloudflare } from '../../publish/cloudflare/cloudflare.ts'
import { formatLive } from '../../publish/cloudflare/hosted-versions.ts'
import type { CoordinatorOptions } from '../../publish/coordinator/coordinator-client.ts'
import { CallError, createCoordinatorClient } from '../../publish/coordinator/coordinator-client.ts'
import { readSentence } from '../../publish/publish-error.ts'
import { ROOT } from '../../files/project-folder.ts'
import type { CommandDefinition, CommandResult, Environment, Terminal } from '../command.ts'
import { parseConfiguration } from '../configuration.ts'
import { EXIT } from '../exit-codes.ts'
import { alignColumns } from '../terminal/format-lines.ts'
import { formatExitCodes } from '../program.ts'
import { configureStage, readStage } from '../stage.ts'
import { COORDINATOR_HELP } from './connect-coordinator.ts'
import type { StatusVerdict } from './find-verdict.ts'
import { findVerdict } from './find-verdict.ts'
import type { Judged } from './format-status.ts'
import { formatStatus } from './format-status.ts'

interface StatusOptions {
  readonly coordinator: CoordinatorOptions
  readonly environment: Environment
  readonly isLogWanted: boolean
}

/**
 * The coordinator did not answer. The exit code is the same as for a site with problems, because a monitor must report
 * both.
 */
class StatusError extends Error {
  override readonly name = 'StatusError'
}

/** Max time of the first and of the second query, in milliseconds. With the pause, they end within 10 s. */
const PATIENCE = 5_000
const SECOND_PATIENCE = 1_500
/**
 * Pause before the second query, in milliseconds. It gives a machine that has just put a version live the time to
 * report the version to the coordinator.
 */
const PAUSE = 1_000

export const command: CommandDefinition<StatusOptions> = {
  configure: (parser) =>
    void configureStage(parser)
      .option('--log', 'show the last 200 entries of the log: who published, held, released or rolled back')
      .option('--json', 'print one JSON object, with the problems in the list "stuck"')
      .addHelpText('after', formatExitCodes('done', 'attention', 'usage', 'unfinished') + COORDINATOR_HELP),
  parse: ({ flags, environment }) => ({
    coordinator: parseConfiguration(environment, ['builder secret']).coordinator,
    environment,
    isLogWanted: flags['log'] === true,
  }),
  run: showStatus,
}

export async function showStatus(
  options: StatusOptions,
  { print, progress }: Terminal,
): Promise<CommandResult> {
  const { status, verdict, answer } = await askTwice(options)
  progress.done('')
  print(formatStatus(options.coordinator.url, status, { ...verdict, ...answer }))
  if (status.log !== null) print(['', ...formatLog(status.log)].join('\n'))
  const { line, stuck } = verdict
  return {
    exit: stuck.length === 0 ? EXIT.done : EXIT.attention,
    report: { verdict: line, ...status, stuck, cloudflare: answer.hosted?.live ?? null },
  }
}

function formatLog(log: readonly LogEntry[]): readonly string[] {
  if (log.length === 0) return ['Nothing has been published, held or released yet.']
  const rows = log.map(({ at, action, by, version, reason }) => {
    const what = cleanText([version ?? '', reason ?? ''].filter(Boolean).join(': '))
    return [formatMoment(at), action.padEnd(11), cleanText(by ?? '-'), what]
  })
  return alignColumns(rows)
}

/** Returns a time such as `2026-11-22 09:20:00 UTC`. */
function formatMoment(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`
}

interface Reading {
  readonly status: Status
  readonly answer: Answer
  readonly verdict: StatusVerdict
}

/** Asks again before reporting that Cloudflare and the coordinator disagree on the live version. */
async function askTwice(options: StatusOptions): Promise<Reading> {
  const first = await ask(options, PATIENCE)
  const { status, answer, verdict } = first
  if (answer.hosted === null || verdict.line === findVerdict(status, null).line) return first
  await wait(PAUSE)
  return ask(options, SECOND_PATIENCE).catch(() => first)
}

async function ask(options: StatusOptions, patience: number): Promise<Reading> {
  const hosted = readHosted(options, patience)
  const status = await readStatus(options, patience).catch(async (error: unknown) => {
    if (!(error instanceof StatusError)) throw error
    throw new StatusError([error.message, ...describeHosted(await hosted)].join(' '), { cause: error })
  })
  const answer = await hosted
  return { status, answer, verdict: findVerdict(status, answer.hosted) }
}

async function readStatus({ coordinator, isLogWanted }: StatusOptions, patience: number): Promise<Status> {
  try {
    return await createCoordinatorClient(coordinator, { tries: 2, patience }).status(isLogWanted)
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    const hint = coordinator.isDefault
      ? ' That is the default address: set SITE_URL or COORDINATOR_URL to the address of the site.'
      : ''
    throw new StatusError(`${readSentence(error)}${hint}`, { cause: error })
  }
}

/** Describes the live versions at Cloudflare, for the error of a coordinator that does not answer. */
function describeHosted({ hosted }: Answer): readonly string[] {
  if (hosted === null) return []
  const live = hosted.live.length === 0 ? 'nothing is live' : formatLive(hosted.live)
  return [
    `Cloudflare says that ${live}. npm run deploy -- --rollback and --force work without the coordinator.`,
  ]
}

type Answer = Pick<Judged, 'hosted' | 'problem'>

/** Asks Cloudflare only if its token is set. */
async function readHosted({ environment }: StatusOptions, patience: number): Promise<Answer> {
  if (!environment['CLOUDFLARE_API_TOKEN']) return { hosted: null, problem: null }
  try {
    const hosting = openCloudflare({ root: ROOT, environment, stage: readStage(environment), patience })
    return { hosted: await hosting.readHosted(), problem: null }
  } catch (error) {
    return { hosted: null, problem: readSentence(error) }
  }
}
