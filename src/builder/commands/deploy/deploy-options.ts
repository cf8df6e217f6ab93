/** The options of the deploy command. */
import { UsageError } from '../../state/usage-error.ts'
import { Command, CommanderError, Option } from 'commander'
import type { Configuration } from '../configuration.ts'
import { parseConfiguration } from '../configuration.ts'

export type DeployAction = 'publish' | 'preview' | 'setup' | 'rollback' | 'release' | 'dry-run'

export interface DeployOptions {
  readonly action: DeployAction
  readonly configuration: Configuration
  readonly output: string
  readonly state: string
  readonly isFull: boolean
}

const HELP = `
Exit codes:
  0   done, or nothing to do
  1   not published, or not to be relied on: the message says what is live and what to do
  2   wrong usage or configuration: nothing was done
  5   a rebuild holds this state or this output folder

Environment (or .env): CLOUDFLARE_API_TOKEN, CLOUDFLARE_ACCOUNT_ID, SITE_URL, REBUILD_SECRET, COORDINATOR_URL.`

const ACTIONS = ['preview', 'setup', 'rollback', 'release', 'dryRun'] as const

/** `null` when only the help was asked for. Throws a `UsageError`. */
export function parseDeployOptions(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): DeployOptions | null {
  const command = createCommand()
  try {
    command.parse([...args], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return null
    throw new UsageError(error.message.replace(/^error: /, ''), { cause: error })
  }
  const flags = command.opts<Record<string, unknown> & { out: string; state: string }>()
  const action = ACTIONS.find((name) => flags[name] === true) ?? 'publish'
  return {
    action: action === 'dryRun' ? 'dry-run' : action,
    configuration: parseConfiguration(environment),
    output: flags.out,
    state: flags.state,
    isFull: flags['full'] === true,
  }
}

function createCommand(): Command {
  const only = (flag: string, text: string): Option =>
    new Option(flag, text).conflicts(ACTIONS.filter((name) => `--${name}` !== flag && flag !== '--dry-run'))
  return new Command('npm run deploy --')
    .description('Verify what the last rebuild made and put it live, unless what is live is newer.')
    .option('--out <folder>', 'the site that was built', 'dist')
    .option('--state <folder>', 'the state of its rebuilds', '.vitrina')
    .option('--full', 'verify every file, not only what changed since the last publish')
    .addOption(only('--preview', 'upload a version and leave the live site as it is'))
    .addOption(only('--setup', 'the first time, and after a change of addresses, schedule or migrations'))
    .addOption(only('--rollback', 'put the previous version back, and hold publishing'))
    .addOption(only('--release', 'end the hold'))
    .addOption(only('--dry-run', 'verify, and change nothing'))
    .option('--json', 'end with one JSON object, and write nothing else to stdout')
    .addHelpText('after', HELP)
    .configureOutput({ writeErr: () => {} })
    .exitOverride()
}
