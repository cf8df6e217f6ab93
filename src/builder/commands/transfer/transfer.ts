/** What the import and the export have in common: progress, the report of what was left out, and exit codes. */
import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'
import type { Problem } from '../../../domain/documents/document.ts'
import { cleanText } from '../../../domain/documents/text.ts'
import type { ExportSummary } from '../../sources/embedded/interchange.ts'
import { RefusedError } from '../../sources/embedded/new-file.ts'
import { isDatabaseFile } from '../../sources/open-source.ts'
import type { TransferOptions } from '../../sources/transfer-count.ts'
import { createProgress } from '../progress.ts'

export const EXIT = { done: 0, leftOut: 1, usage: 2, failed: 3 } as const

const SHOWN = 20

/** Wrong usage exits with 2 and a hint. */
export function parseArguments(command: Command): Command {
  return command
    .showHelpAfterError('(--help tells how to use it)')
    .exitOverride((error) => process.exit(error.exitCode === 0 ? EXIT.done : EXIT.usage))
    .parse()
}

/** Under any other name the file would be taken for a folder later. */
export function parseDatabaseFile(name: string): string {
  if (isDatabaseFile(name)) return name
  throw new InvalidArgumentError('The name of a database ends in .sqlite or .db.')
}

/** Runs `transfer` and answers with the exit code. `describe` words the one line of the summary. */
export async function runTransfer<T extends ExportSummary>(
  label: string,
  transfer: (options: TransferOptions) => Promise<T>,
  describe: (summary: T) => string,
): Promise<number> {
  const progress = createProgress(label)
  const problems: Problem[] = []
  try {
    const summary = await transfer({
      progress: (count) => progress.update(`${formatCount(count)} documents`),
      report: (problem) => problems.length < SHOWN && problems.push(problem),
    })
    progress.done('')
    console.log(describe(summary))
    if (summary.problems > 0) console.error(formatProblems(problems, summary.problems))
    return summary.problems > 0 ? EXIT.leftOut : EXIT.done
  } catch (error) {
    progress.fail('')
    console.error(`${label}: ${error instanceof Error ? error.message : String(error)}`)
    return error instanceof RefusedError ? EXIT.usage : EXIT.failed
  }
}

export function formatCount(count: number): string {
  return count.toLocaleString('en')
}

function formatProblems(problems: readonly Problem[], count: number): string {
  const lines = problems.map(({ collection, id, field, reason }) =>
    cleanText([`${collection}/${id}:`, field, reason].filter((part) => part !== '').join(' ')),
  )
  const more = count > problems.length ? [`and ${formatCount(count - problems.length)} more`] : []
  return [`${formatCount(count)} left out:`, ...lines, ...more].join('\n')
}
