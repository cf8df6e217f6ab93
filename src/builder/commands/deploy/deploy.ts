/** `deploy`: publishes the site, rolls back to the previous version, or releases publishing. */
import type { Command } from 'commander'
import { Option } from 'commander'
import type { CommandDefinition, CommandResult, Parsed, Terminal } from '../command.ts'
import { parseConfiguration } from '../configuration.ts'
import { EXIT } from '../exit-codes.ts'
import { formatEnvironment, formatExitCodes } from '../program.ts'
import type { DeployOptions } from './deploy-actions.ts'
import { performDeploy } from './deploy-actions.ts'

const EXITS = ['done', 'attention', 'usage', 'source', 'busy', 'unfinished'] as const

const HELP = formatEnvironment({
  CLOUDFLARE_API_TOKEN: "token of Cloudflare's API",
  CLOUDFLARE_ACCOUNT_ID: 'id of the account at Cloudflare',
  SITE_URL: 'origin of the site',
  REBUILD_SECRET: 'the same secret as the site has',
  COORDINATOR_URL: 'origin of the coordinator (default: SITE_URL)',
})

const ACTIONS = ['preview', 'setup', 'rollback', 'release', 'dryRun'] as const

export const command: CommandDefinition<DeployOptions> = {
  configure: configureDeploy,
  parse: parseDeployOptions,
  run: deploy,
  blank: { action: null, version: null, sequence: null },
}

function configureDeploy(parser: Command): void {
  const only = (flag: string, text: string): Option =>
    new Option(flag, text).conflicts(ACTIONS.filter((name) => `--${name}` !== flag && flag !== '--dry-run'))
  parser
    .option('--out <folder>', 'the built site', 'dist')
    .option('--state <folder>', 'the state of its rebuilds', '.vitrina')
    .option('--full', 'verify every file, not only files changed since the last publish')
    .addOption(only('--preview', 'upload a version without making it live'))
    .addOption(only('--setup', 'publish for the first time, or with other addresses, schedule or migrations'))
    .addOption(only('--rollback', 'make the previous version live again, and hold publishing'))
    .addOption(only('--release', 'end the hold of publishing'))
    .addOption(only('--dry-run', 'verify and change nothing'))
    .option('--json', 'print one JSON object at the end, and nothing else on stdout')
    .addHelpText('after', formatExitCodes(...EXITS) + HELP)
}

function parseDeployOptions({ flags, environment }: Parsed): DeployOptions {
  const action = ACTIONS.find((name) => flags[name] === true) ?? 'publish'
  return {
    action: action === 'dryRun' ? 'dry-run' : action,
    configuration: parseConfiguration(environment),
    environment,
    output: String(flags['out']),
    state: String(flags['state']),
    isFull: flags['full'] === true,
  }
}

async function deploy(options: DeployOptions, { print, progress }: Terminal): Promise<CommandResult> {
  const { lines, ...result } = await performDeploy(options, progress.update)
  progress.done('')
  for (const line of lines) print(line)
  return { exit: EXIT.done, report: { ...result, error: null } }
}
