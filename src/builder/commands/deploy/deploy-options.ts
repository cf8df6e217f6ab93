/** The options of the deploy command. */
import type { Command } from 'commander'
import { Option } from 'commander'
import { UsageError } from '../../files/usage-error.ts'
import type { Parsed } from '../command.ts'
import type { Need } from '../configuration.ts'
import { parseConfiguration } from '../configuration.ts'
import { COORDINATOR_VARIABLES, formatEnvironment, formatExitCodes } from '../program.ts'
import type { BuildOptions } from '../options.ts'
import { readBuildOptions } from '../options.ts'
import { configureStage } from '../stage.ts'
import type { PublishResult } from './publish.ts'

const ACTIONS = ['setup', 'rollback', 'hold', 'release', 'dry-run'] as const

export type DeployAction = 'publish' | (typeof ACTIONS)[number]

export interface DeployOptions extends BuildOptions {
  readonly action: DeployAction
  /** The version that a rollback makes live; `null` for the previous one. */
  readonly to: string | null
}

export interface Deployed {
  readonly action: DeployAction | PublishResult['kind']
  readonly version: string | null
  readonly sequence: number | null
  readonly lines: readonly string[]
  /** The exit code. Set if a person must act; `EXIT.done` by default. */
  readonly exit?: number
}

const HELP = formatEnvironment({
  CLOUDFLARE_API_TOKEN: "token of Cloudflare's API",
  CLOUDFLARE_ACCOUNT_ID: 'id of the account at Cloudflare',
  SITE_URL: 'origin of the site',
  ...COORDINATOR_VARIABLES,
})

/** A rollback requires none of these settings, so that it works even if they are missing. */
const NEEDS: Readonly<Record<DeployAction, readonly Need[]>> = {
  publish: ['address', 'builder secret'],
  setup: ['address', 'builder secret'],
  'dry-run': ['address'],
  rollback: [],
  hold: ['builder secret'],
  release: ['builder secret'],
}

export function configureDeploy(parser: Command): void {
  const only = (flag: string, text: string): Option =>
    new Option(flag, text).conflicts(
      ACTIONS.filter((name) => `--${name}` !== flag && flag !== '--dry-run').map(nameFlag),
    )
  configureStage(parser, { out: 'the built site', state: 'the state of its rebuilds' })
    .option(
      '--force',
      'publish without permission if the call to the coordinator fails, and report that to it later',
    )
    .option('--allow-older', 'with --force: publish even if the live version may contain newer changes')
    .addOption(
      only('--setup', 'publish for the first time, or after a change of addresses, schedule or migrations'),
    )
    .option('--allow-takeover', 'with --setup: take over domains that are in use by another Worker')
    .addOption(only('--rollback', 'make the previous version live again, and hold publishing'))
    .option('--to <version>', 'with --rollback: make this version live, named by the beginning of its id')
    .addOption(only('--hold', 'hold publishing'))
    .addOption(only('--release', 'end the hold of publishing, and start a build'))
    .addOption(only('--dry-run', 'check the site and change nothing'))
    .option('--json', 'print one JSON object at the end, and nothing else on stdout')
    .addHelpText('after', formatExitCodes() + HELP)
}

export function parseDeployOptions({ flags, environment }: Parsed): DeployOptions {
  const action = ACTIONS.find((name) => flags[nameFlag(name)] === true) ?? 'publish'
  const to = typeof flags['to'] === 'string' ? flags['to'] : null
  if (to !== null && action !== 'rollback')
    throw new UsageError('--to is only for --rollback: add --rollback, or leave out --to')
  const isForced = flags['force'] === true
  if (isForced && action !== 'publish' && action !== 'setup')
    throw new UsageError('--force is only for publishing: use it alone or with --setup')
  const isOlderAllowed = flags['allowOlder'] === true
  if (isOlderAllowed && !isForced)
    throw new UsageError('--allow-older is only for --force: add --force, or leave out --allow-older')
  const isTakeoverAllowed = flags['allowTakeover'] === true
  if (isTakeoverAllowed && action !== 'setup')
    throw new UsageError('--allow-takeover is only for --setup: add --setup, or leave out --allow-takeover')
  return {
    ...readBuildOptions({ flags, environment }, parseConfiguration(environment, NEEDS[action])),
    action,
    to,
    isForced,
    isOlderAllowed,
    isTakeoverAllowed,
  }
}

/** Returns the option's name in camel case, under which the parser stores its value. */
function nameFlag(action: (typeof ACTIONS)[number]): string {
  return action.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
