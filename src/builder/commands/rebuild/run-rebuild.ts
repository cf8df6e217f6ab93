/** `rebuild`: runs one rebuild, prints its report, and returns the exit code; or follows the source. */
import { formatId } from '../../../domain/documents/format-id.ts'
import { cleanText } from '../../../domain/documents/text.ts'
import { rebuild } from '../../rebuild/rebuild.ts'
import type { CommandDefinition, CommandResult, Terminal } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { formatExplained, formatOutcome } from './format-rebuild.ts'
import { keepWorld } from './open-world.ts'
import type { RebuildCommandOptions } from './rebuild-options.ts'
import { configureRebuild, parseRebuildOptions } from './rebuild-options.ts'
import { createRebuildReport, EMPTY_REPORT } from './rebuild-report.ts'

export const command: CommandDefinition<RebuildCommandOptions> = {
  configure: configureRebuild,
  parse: parseRebuildOptions,
  run: async (options, terminal) => {
    if (!options.isWatch) return runOnce(options, terminal)
    return (await import('../follow/watch-source.ts')).watchSource(options, terminal)
  },
  blank: EMPTY_REPORT,
}

async function runOnce(options: RebuildCommandOptions, terminal: Terminal): Promise<CommandResult> {
  const { progress, warn, print } = terminal
  const { site } = options.configuration
  using kept = keepWorld(options, { progress: progress.update, warn })
  const outcome = await kept.use(rebuild)
  const unknown = outcome.read.unknownSellers.map((seller) => cleanText(formatId(seller)))
  if (unknown.length > 0) warn(`Neither the source nor the site knows ${unknown.join(', ')}: check the id.`)
  const ms = performance.now()
  print(options.isExplained ? formatExplained(outcome, site) : formatOutcome(outcome, site, ms))
  const report = createRebuildReport(outcome, ms)
  return { exit: unknown.length > 0 ? EXIT.usage : report.exit, report }
}
