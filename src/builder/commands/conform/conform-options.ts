/** The options of the conform command. */
import type { Command } from 'commander'
import { UsageError } from '../../state/usage-error.ts'
import type { Environment, Parsed } from '../command.ts'
import { isOfWorkers } from '../configuration.ts'
import { formatEnvironment, formatExitCodes } from '../program.ts'
import { configureStage, readFolders, readStage } from '../stage.ts'
import type { Requirement } from './asking.ts'

export interface ConformOptions {
  readonly environment: Environment
  readonly stage: string | null
  /** The folder of the report. */
  readonly state: string
  /** True to test the runtime on this machine instead of an account. */
  readonly isLocal: boolean
  /** True to only remove the leftovers of an earlier run, without asking anything. */
  readonly isCleaning: boolean
  /**
   * Address of the probe, the Worker that the command deploys to check assumptions; `null` for its address at
   * workers.dev or on this machine.
   */
  readonly at: URL | null
}

const HELP = `

Deploys a test Worker to the account, with a bucket and queues if
HOSTING=objects, checks it, and removes everything, also when it is interrupted.
A run makes some 150 requests and costs less than a cent.${formatEnvironment({
  CLOUDFLARE_API_TOKEN: "token of Cloudflare's API",
  CLOUDFLARE_ACCOUNT_ID: 'id of the account at Cloudflare',
  HOSTING: 'objects: also asks about the bucket and the queues',
  CATALOGUE_SOURCE: 'firestore: also asks Firestore, with the settings of its project',
  DISPATCH_GITHUB_TOKEN: 'token of GitHub: also asks how soon the last workflow runs began',
  DISPATCH_GITHUB_REPOSITORY: 'this repository, as owner/name; needed with the token of GitHub',
})}`

export function configureConform(parser: Command): void {
  configureStage(parser, { state: 'the folder of the report' })
    .option('--local', 'check the runtime on this machine instead of a Cloudflare account')
    .option(
      '--at <origin>',
      'address for the test Worker at an unused name of your zone; the cache of the zone is checked, too',
    )
    .option('--clean', 'only remove what an earlier run has left')
    .option('--json', 'print one JSON object at the end, and nothing else on stdout')
    .addHelpText('after', formatExitCodes('done', 'attention', 'usage', 'unfinished') + HELP)
}

export function parseConformOptions({ flags, environment }: Parsed): ConformOptions {
  const [isLocal, isCleaning] = [flags['local'] === true, flags['clean'] === true]
  const at = readAddress(flags['at'])
  if (isLocal && (isCleaning || at !== null))
    throw new UsageError(
      '--local leaves nothing behind and has its own address: use it without --clean and --at',
    )
  if (!isLocal && !environment['CLOUDFLARE_API_TOKEN'])
    throw new UsageError(
      'CLOUDFLARE_API_TOKEN is not set: set it, or use --local to test the runtime on this machine',
    )
  return {
    environment,
    stage: readStage(environment),
    state: readFolders({ flags, environment }).state,
    isLocal,
    isCleaning,
    at,
  }
}

function readAddress(given: unknown): URL | null {
  if (typeof given !== 'string') return null
  const url = URL.parse(given)
  // Accepts an address without https only for a stand-in on this machine. No domain is then set up for the probe.
  const isServed = url?.protocol === 'https:' || url?.hostname === '127.0.0.1'
  if (url !== null && isServed && url.pathname === '/') return url
  throw new UsageError('--at must be an origin such as https://conform.vitrina.do')
}

/** Returns the missing setting or option without which `part` cannot be checked; `null` if nothing is missing. */
export function findLack(part: Requirement, { environment, isLocal, at }: ConformOptions): string | null {
  const lacks: Partial<Record<Requirement, string | false>> = {
    objects: !hasObjects({ environment, isLocal }) && 'HOSTING=objects',
    cache:
      !isLocal &&
      at === null &&
      !isOfWorkers(environment['SITE_URL'] ?? '') &&
      '--at with a free name of your zone',
    firestore:
      (environment['CATALOGUE_SOURCE'] !== 'firestore' || !environment['FIREBASE_PROJECT_ID']) &&
      'CATALOGUE_SOURCE=firestore and FIREBASE_PROJECT_ID',
    dispatch:
      (!environment['DISPATCH_GITHUB_TOKEN'] || !environment['DISPATCH_GITHUB_REPOSITORY']) &&
      'DISPATCH_GITHUB_TOKEN and DISPATCH_GITHUB_REPOSITORY',
  }
  return lacks[part] || null
}

/** Returns whether the probe, the Worker that answers the questions, has a bucket and queues. */
export function hasObjects({
  environment,
  isLocal,
}: Pick<ConformOptions, 'environment' | 'isLocal'>): boolean {
  return isLocal || environment['HOSTING'] === 'objects'
}
