/** Runs a rebuild from its options, prints the report, and returns the exit code. */
import { formatId } from '../../../domain/documents/format-id.ts'
import { cleanText } from '../../../domain/documents/text.ts'
import type { RebuildOutcome } from '../../rebuild/rebuild.ts'
import { rebuild } from '../../rebuild/rebuild.ts'
import { UsageError } from '../../files/usage-error.ts'
import type { CommandDefinition, CommandResult, Terminal } from '../command.ts'
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
  { configuration: { site }, isExplained, sellers }: RebuildCommandOptions,
  { print, warn, progress }: Terminal,
): CommandResult {
  const report = createRebuildReport(outcome, Math.round(performance.now()))
  const unknown = formatUnknownSellers(outcome)
  progress.done('')
  if (unknown !== null && outcome.read.unknownSellers.length === sellers.length && isUnchanged(outcome))
    throw new UsageError(unknown)
  if (unknown !== null) warn(unknown)
  print(formatOutcome(outcome, report, { site, isExplained }))
  return { exit: report.exit, report }
}

function isUnchanged({ written, removed }: RebuildOutcome): boolean {
  return written.pages + written.files + removed === 0
}

/** Returns the message about named sellers that do not exist; `null` if there are none. */
function formatUnknownSellers({ read: { unknownSellers } }: RebuildOutcome): string | null {
  if (unknownSellers.length === 0) return null
  const names = unknownSellers.map((seller) => cleanText(formatId(seller)))
  return `Neither the source nor the site knows ${unknownSellers.length === 1 ? 'the seller' : 'the sellers'} ${names.join(', ')}: check the id.`
}
