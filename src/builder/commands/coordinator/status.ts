/** `status`: shows the state of the site's coordinator. */
import type { Status } from '../../../domain/wire/coordinator-status.ts'
import { findStatusProblems } from '../../../domain/wire/status-problems.ts'
import type { CoordinatorOptions } from '../../publish/coordinator-client.ts'
import { CallError } from '../../publish/coordinator-client.ts'
import type { CommandDefinition, CommandResult, Terminal } from '../command.ts'
import { parseConfiguration } from '../configuration.ts'
import { EXIT } from '../exit-codes.ts'
import { formatExitCodes } from '../program.ts'
import { connectCoordinator, COORDINATOR_HELP } from './connect-coordinator.ts'
import { formatStatus } from './format-status.ts'

/** The call failed. Its exit code is that of a stuck coordinator, since a monitor must report both. */
class StatusError extends Error {
  override readonly name = 'StatusError'
}

export const command: CommandDefinition<CoordinatorOptions> = {
  configure: (parser) =>
    void parser
      .option('--json', 'print one JSON object, with the problems in the list "stuck"')
      .addHelpText('after', formatExitCodes('done', 'attention', 'usage', 'unfinished') + COORDINATOR_HELP),
  parse: ({ environment }) => parseConfiguration(environment).coordinator,
  run: showStatus,
}

async function showStatus(coordinator: CoordinatorOptions, terminal: Terminal): Promise<CommandResult> {
  const { print, progress } = terminal
  const status = await readStatus(coordinator, progress.update)
  progress.done('')
  const stuck = findStatusProblems(status)
  print(formatStatus(coordinator.url, status, stuck))
  return { exit: stuck.length === 0 ? EXIT.done : EXIT.attention, report: { ...status, stuck } }
}

async function readStatus(coordinator: CoordinatorOptions, tell: (line: string) => void): Promise<Status> {
  try {
    return await connectCoordinator(coordinator, tell).status()
  } catch (error) {
    if (error instanceof CallError) throw new StatusError(error.message, { cause: error })
    throw error
  }
}
