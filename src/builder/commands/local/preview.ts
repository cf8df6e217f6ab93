/** `preview`: serves the built site. */
import type { CommandDefinition } from '../command.ts'
import { formatExitCodes } from '../program.ts'
import type { StartOptions } from './start.ts'
import { configureServing, parseStart, runStart } from './start.ts'

export const command: CommandDefinition<StartOptions> = {
  configure: (parser) =>
    void configureServing(parser).addHelpText(
      'after',
      formatExitCodes('done', 'attention', 'usage', 'unfinished'),
    ),
  parse: (parsed) => ({ ...parseStart(parsed), isBuild: false }),
  run: runStart,
}
