/** Checks every file of a built site. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { CommandDefinition } from '../../src/builder/commands/command.ts'
import { EXIT } from '../../src/builder/commands/exit-codes.ts'
import { formatNumber } from '../../src/builder/format-numbers.ts'
import { UsageError } from '../../src/builder/files/usage-error.ts'
import { cleanText } from '../../src/domain/documents/text.ts'
import type { SiteReport } from './pages/check-site.ts'
import { checkSite } from './pages/check-site.ts'

const SHOWN = 10

export const command: CommandDefinition<{ readonly folder: string }> = {
  configure: (parser) => void parser.argument('[folder]', 'the built site', 'dist'),
  parse: ({ words }) => ({ folder: resolve(words[0] ?? 'dist') }),
  run: async ({ folder }, { print, warn }) => {
    const report = existsSync(folder) ? await checkSite(folder) : null
    if (report === null || report.kinds.size === 0)
      throw new UsageError(`${folder} holds no page. Run npm run build first, or name another folder.`)
    print(formatSiteTable(report))
    if (report.problems.length === 0) return { exit: EXIT.done }
    warn(formatProblems(report.problems.map(cleanText)))
    return { exit: EXIT.attention }
  },
}

function formatSiteTable({ kinds, files, problems }: SiteReport): string {
  const rows = [...kinds].map(([kind, { count, heaviest }]) => [
    kind,
    formatNumber(count),
    formatNumber(heaviest.bytes),
    formatNumber(heaviest.budget),
    heaviest.path,
  ])
  const lines = [['page', 'count', 'brotli', 'budget', 'nearest to its budget'], ...rows]
  const verdict = problems.length === 0 ? 'nothing wrong' : `${formatNumber(problems.length)} problems`
  return `${lines.map(formatRow).join('\n')}\n${formatNumber(files)} files, ${verdict}`
}

function formatProblems(problems: readonly string[]): string {
  const more = problems.length > SHOWN ? [`and ${formatNumber(problems.length - SHOWN)} more`] : []
  return [...problems.slice(0, SHOWN), ...more].join('\n')
}

function formatRow([kind = '', count = '', bytes = '', budget = '', path = '']: readonly string[]): string {
  return `${kind.padEnd(18)}${count.padStart(9)}${bytes.padStart(9)}${budget.padStart(9)}  ${path}`
}
