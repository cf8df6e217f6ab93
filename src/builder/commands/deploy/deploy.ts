/** `deploy`: puts the site live, puts the previous version back, or releases publishing. */
import type { Command } from 'commander'
import { Option } from 'commander'
import type { CommandDefinition, CommandResult, Parsed, Terminal } from '../command.ts'
import { parseConfiguration } from '../configuration.ts'
import { EXIT } from '../exit-codes.ts'
import { formatExitCodes } from '../program.ts'
import type { DeployOptions } from './deploy-actions.ts'
import { performDeploy } from './deploy-actions.ts'

const EXITS = ['done', 'attention', 'usage', 'source', 'busy', 'unfinished'] as const

const HELP = `

Environment (or .env): CLOUDFLARE_API_TOKEN, CLOUDFLARE_ACCOUNT_ID, SITE_URL, REBUILD_SECRET, COORDINATOR_URL.`

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
    .option('--out <folder>', 'the site that was built', 'dist')
    .option('--state <folder>', 'the state of its rebuilds', '.vitrina')
    .option('--full', 'verify every file, not only what changed since the last publish')
    .addOption(only('--preview', 'upload a version and leave the live site as it is'))
    .addOption(only('--setup', 'the first time, and after a change of addresses, schedule or migrations'))
    .addOption(only('--rollback', 'put the previous version back, and hold publishing'))
    .addOption(only('--release', 'end the hold'))
    .addOption(only('--dry-run', 'verify, and change nothing'))
    .option('--json', 'end with one JSON object, and write nothing else to stdout')
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
