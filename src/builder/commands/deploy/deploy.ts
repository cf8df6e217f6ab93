/** `deploy`: publishes the site, or performs another action on the published site, such as a rollback or a hold. */
import type { CommandDefinition, CommandResult, Terminal } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { performDeploy } from './deploy-actions.ts'
import type { DeployOptions } from './deploy-options.ts'
import { configureDeploy, parseDeployOptions } from './deploy-options.ts'

export const command: CommandDefinition<DeployOptions> = {
  configure: configureDeploy,
  parse: parseDeployOptions,
  run: deploy,
  blank: { action: null, version: null, sequence: null },
}

async function deploy(options: DeployOptions, { print, progress }: Terminal): Promise<CommandResult> {
  const { lines, exit = EXIT.done, ...result } = await performDeploy(options, progress.update)
  progress.done('')
  for (const line of lines) print(line)
  return { exit, report: { ...result, error: null } }
}
