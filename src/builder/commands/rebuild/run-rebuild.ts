/** Runs a rebuild from its options, prints the report, and returns the exit code. */
import { formatId } from '../../../domain/documents/format-id.ts'
import { cleanText } from '../../../domain/documents/text.ts'
import type { RebuildOutcome } from '../../rebuild/rebuild.ts'
import { rebuild } from '../../rebuild/rebuild.ts'
import type { CommandDefinition, CommandResult, Terminal } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { formatOutcome } from './format-rebuild.ts'
import { keepWorld } from './kept-world.ts'
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
  const { progress, warn } = terminal
  const kept = keepWorld(options, { progress: (text) => progress.update(text), warn })
  try {
    return tell(await kept.use(rebuild), options, terminal)
  } finally {
    kept.close()
  }
}

function tell(
  outcome: RebuildOutcome,
  { configuration: { site }, isExplained }: RebuildCommandOptions,
  { print, warn }: Terminal,
): CommandResult {
  const report = createRebuildReport(outcome, Math.round(performance.now()))
  const unknown = outcome.read.unknownSellers.map((seller) => cleanText(formatId(seller)))
  if (unknown.length > 0) warn(`Neither the source nor the site knows ${unknown.join(', ')}: check the id.`)
  print(formatOutcome(outcome, report, { site, isExplained }))
  return { exit: unknown.length > 0 ? EXIT.usage : report.exit, report }
}
