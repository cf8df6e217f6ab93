/** The options of the rebuild command, from the command line and the environment. */
import { UsageError } from '../../state/usage-error.ts'
import type { Command } from 'commander'
import { findIdProblem } from '../../../domain/documents/page-id.ts'
import { PAGE_SWITCHES } from '../../../domain/documents/page-switches.ts'
import type { Configuration } from '../configuration.ts'
import type { Need } from '../configuration.ts'
import { parseConfiguration } from '../configuration.ts'
import { isDatabaseFile } from '../../sources/source-kinds.ts'
import type { Parsed } from '../command.ts'
import { formatEnvironment, formatExitCodes } from '../program.ts'
import type { BuildOptions } from '../options.ts'
import { readBuildOptions } from '../options.ts'
import { configureStage } from '../stage.ts'

const HELP = formatEnvironment({
  CATALOGUE_SOURCE: 'firestore, a .sqlite file or a folder',
  SITE_NAME: 'name of the site',
  SITE_URL: 'origin of the site',
  ACCESS_URL: "address behind the button 'Acceder'",
  OFFLINE: 'on or off: browsers keep visited pages, to show them without a network',
  MAX_PRODUCTS: 'how many products of a seller are shown at most',
  ...Object.fromEntries(
    Object.values(PAGE_SWITCHES).map(({ variable, help }) => [variable, `on or off: ${help}`]),
  ),
  PHOTOS: 'files, service or off: who makes small pictures',
  PHOTO_HOSTS: 'hosts that photos may come from',
  FIREBASE_PROJECT_ID: 'id of the project whose Firestore is read',
  GOOGLE_APPLICATION_CREDENTIALS: "file with a service account's key, for Firestore",
  FIRESTORE_EMULATOR_HOST: 'host and port of a local Firestore emulator',
  REBUILD_SECRET: 'the same secret as the site has, for --pending and --deploy',
  BUILDER_SECRET: "the builders' secret, for --pending and --deploy, if the site has a separate one",
  COORDINATOR_URL: 'origin of the coordinator, for --pending and --deploy (default: SITE_URL)',
})

/** Throws a `UsageError` if options or settings are wrong. */
export function parseRebuildOptions({ flags: given, environment }: Parsed): BuildOptions {
  const flags = given as unknown as Flags
  checkCombination(flags)
  const configuration = parseConfiguration(
    { ...environment, ...(flags.source && { CATALOGUE_SOURCE: flags.source }) },
    listNeeds(flags),
  )
  checkSource(configuration, flags)
  return {
    ...readBuildOptions({ flags: given, environment }, configuration),
    sellers: (flags.seller ?? []).map(parseSeller),
    isFull: flags.full === true,
    isVerify: flags.verify === true,
    isShrinkAllowed: flags.allowShrink === true,
    isWatch: flags.watch === true,
    isPending: flags.pending === true,
    isDeploy: flags.deploy === true,
    isDry: isDryRun(flags),
  }
}

function listNeeds({ pending, deploy }: Flags): readonly Need[] {
  const isCalling = pending === true || deploy === true
  return [
    'source',
    ...(deploy === true ? (['address'] as const) : []),
    ...(isCalling ? (['builder secret'] as const) : []),
  ]
}

interface Flags {
  readonly source?: string
  readonly seller?: readonly string[]
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
  const collect = (value: string, list: readonly string[] = []): readonly string[] => [...list, value]
  configureStage(command, { out: 'folder of the site', state: 'folder of the snapshot and the record' })
    .option(
      '--source <source>',
      'firestore, a .sqlite file or a folder (default: CATALOGUE_SOURCE, else vitrina.sqlite)',
    )
    .option('--seller <id>', 'read and rebuild only this seller; repeatable', collect)
    .option('--pending', 'claim changed sellers from the coordinator, rebuild them, and report back')
    .option('--full', 'read everything and render every page again')
    .option('--explain', 'print the plan with what changed for each page, and change nothing')
    .option('--dry-run', 'the same as --explain')
    .option('--verify', 'check the state and every file, and repair what differs')
    .option('--deploy', 'publish the result, or an earlier result not yet published')
    .option('--watch', 'keep running, and rebuild on every change of the source until Ctrl-C')
    .option('--allow-shrink', 'accept a change that removes much of the site')
    .option('--json', 'print one JSON object at the end, and nothing else on stdout')
    .addHelpText('after', formatExitCodes() + HELP)
}

function isDryRun({ dryRun, explain }: Flags): boolean {
  return dryRun === true || explain === true
}

function checkCombination(flags: Flags): void {
  const { pending, deploy, watch, full, seller = [] } = flags
  const isDry = isDryRun(flags)
  if (deploy === true && isDry)
    throw new UsageError(
      '--deploy publishes, and --dry-run and --explain change nothing: leave out one of them',
    )
  if (watch === true && isDry)
    throw new UsageError(
      '--watch rebuilds on every change, and --dry-run and --explain change nothing: leave out one of them',
    )
  if (full === true && seller.length > 0)
    throw new UsageError('--full reads and renders all sellers: leave out --seller')
  if (deploy === true && watch === true)
    throw new UsageError('--watch publishes nothing: use npm run builder -- --deploy')
  if (pending !== true) return
  if (isDry)
    throw new UsageError(
      '--pending claims sellers, and --dry-run and --explain change nothing: npm run status shows pending sellers without a claim',
    )
  if (watch === true)
    throw new UsageError('--pending ends after one build, and --watch keeps running: use npm run builder')
  if (seller.length > 0) throw new UsageError('--pending and --seller both select sellers: use one of them')
}

function checkSource({ source, firestore }: Configuration, { pending }: Flags): void {
  if (pending === true && firestore === null && !isDatabaseFile(source))
    throw new UsageError(
      `--pending reads single sellers, and the folder ${source} can only be read whole: use firestore or a .sqlite file`,
    )
}

function parseSeller(id: string): string {
  const problem = findIdProblem(id)
  if (problem !== null) throw new UsageError(`--seller ${JSON.stringify(id)}: the id ${problem}`)
  return id
}
