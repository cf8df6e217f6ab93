/** The options of the rebuild command, from the command line and the environment. */
import { UsageError } from '../../state/usage-error.ts'
import type { Command } from 'commander'
import { findIdProblem } from '../../../domain/documents/seller-id.ts'
import type { Configuration } from '../configuration.ts'
import { parseConfiguration } from '../configuration.ts'
import { isDatabaseFile } from '../../sources/open-source.ts'
import type { RebuildOptions } from '../../rebuild/world.ts'
import type { Environment, Parsed } from '../command.ts'
import { formatExitCodes } from '../program.ts'

export interface CommandOptions extends RebuildOptions {
  /** Stay, and rebuild on every change. */
  readonly isWatch: boolean
  /** Build what waits at the coordinator, and report to it. */
  readonly isPending: boolean
  /** Publish the result. */
  readonly isDeploy: boolean
  readonly configuration: Configuration
  /** Handed on to the deploy tool. */
  readonly environment: Environment
  readonly output: string
  readonly state: string
  /** Nothing is changed: `plan` names the pages, `explain` adds what decided. */
  readonly dryRun: 'no' | 'plan' | 'explain'
}

const EXITS = ['done', 'attention', 'usage', 'source', 'shrink', 'busy', 'pageFailed', 'unfinished'] as const

const HELP = `

Environment (or .env): CATALOGUE_SOURCE, SITE_NAME, SITE_URL, ACCESS_URL, OFFLINE, PHOTOS, PHOTO_HOSTS.
For Firestore: FIREBASE_PROJECT_ID, GOOGLE_APPLICATION_CREDENTIALS, FIRESTORE_EMULATOR_HOST.
For --pending and --deploy: REBUILD_SECRET, COORDINATOR_URL.`

/** Throws a `UsageError`. */
export function parseRebuildOptions({ flags: given, environment }: Parsed): CommandOptions {
  const flags = given as unknown as Flags
  checkCombination(flags)
  const configuration = parseConfiguration({
    ...environment,
    ...(flags.source && { CATALOGUE_SOURCE: flags.source }),
  })
  checkSource(configuration, flags)
  return {
    configuration,
    environment,
    output: flags.out,
    state: flags.state,
    sellers: flags.seller.map(parseSeller),
    isFull: flags.full === true,
    isVerify: flags.verify === true,
    isShrinkAllowed: flags.allowShrink === true,
    isWatch: flags.watch === true,
    isPending: flags.pending === true,
    isDeploy: flags.deploy === true,
    dryRun: flags.explain === true ? 'explain' : flags.dryRun === true ? 'plan' : 'no',
  }
}

interface Flags {
  readonly source?: string
  readonly out: string
  readonly state: string
  readonly seller: readonly string[]
  readonly full?: boolean
  readonly dryRun?: boolean
  readonly explain?: boolean
  readonly verify?: boolean
  readonly watch?: boolean
  readonly pending?: boolean
  readonly deploy?: boolean
  readonly allowShrink?: boolean
}

export function configureRebuild(command: Command): void {
  const collect = (value: string, list: readonly string[]): readonly string[] => [...list, value]
  command
    .option(
      '--source <source>',
      'firestore, a .sqlite file or a folder (default: CATALOGUE_SOURCE, else vitrina.sqlite)',
    )
    .option('--out <folder>', 'where the site is written', 'dist')
    .option('--state <folder>', 'where the snapshot and the record are kept', '.vitrina')
    .option('--seller <id>', 'read and rebuild just this seller; may be repeated', collect, [])
    .option('--pending', 'ask the coordinator which sellers changed, rebuild those, and report back')
    .option('--full', 'read everything and render every page again')
    .option('--dry-run', 'print the plan and change nothing')
    .option('--explain', 'print the plan with the inputs that decided, and change nothing')
    .option('--verify', 'check every file against the record and repair what differs')
    .option('--deploy', 'publish the result, also one of before that is not yet published')
    .option('--watch', 'stay, follow the source, and rebuild on every change until Ctrl-C')
    .option('--allow-shrink', 'accept a change that takes much away')
    .option('--json', 'end with one JSON object, and write nothing else to stdout')
    .addHelpText('after', formatExitCodes(...EXITS) + HELP)
}

function checkCombination({ pending, deploy, watch, seller, dryRun, explain }: Flags): void {
  const isDry = dryRun === true || explain === true
  if (deploy === true && isDry) throw new UsageError('--deploy publishes, and --dry-run changes nothing')
  if (deploy === true && watch === true)
    throw new UsageError('--watch does not publish: npm run builder -- --deploy does')
  if (pending !== true) return
  if (isDry) throw new UsageError('--pending claims what waits: npm run status tells it without that')
  if (watch === true) throw new UsageError('--pending ends with one build: npm run builder stays')
  if (seller.length > 0)
    throw new UsageError('--pending and --seller both say which sellers: keep one of them')
}

function checkSource({ source, firestore }: Configuration, { pending }: Flags): void {
  if (pending === true && firestore === null && !isDatabaseFile(source))
    throw new UsageError(
      `--pending reads single sellers, which the folder ${source} cannot give: use firestore or a .sqlite file`,
    )
}

function parseSeller(id: string): string {
  const problem = findIdProblem(id)
  if (problem !== null) throw new UsageError(`--seller ${JSON.stringify(id)}: the id ${problem}`)
  return id
}
