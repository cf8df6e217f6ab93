/** Checks every file of a built site. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { CommandDefinition } from '../../src/builder/commands/command.ts'
import { EXIT } from '../../src/builder/commands/exit-codes.ts'
import { formatExitCodes } from '../../src/builder/commands/program.ts'
import { UsageError } from '../../src/builder/state/usage-error.ts'
import { cleanText } from '../../src/domain/documents/text.ts'
import { openBuiltSite } from './pages/built-site.ts'
import { checkSite } from './pages/check-site.ts'
import { formatProblems, formatSiteTable } from './pages/format-site-report.ts'

export const command: CommandDefinition<{ readonly folder: string }> = {
  configure: (parser) =>
    parser
      .argument('[folder]', 'the built site', 'dist')
      .addHelpText('after', formatExitCodes('done', 'attention', 'usage')),
  parse: ({ words }) => ({ folder: resolve(words[0] ?? 'dist') }),
  run: async ({ folder }, { print, warn }) => {
    const report = existsSync(folder) ? await checkSite(openBuiltSite(folder)) : null
    if (report === null || report.kinds.size === 0)
      throw new UsageError(`${folder} holds no page. Run npm run build first, or name another folder.`)
    print(formatSiteTable(report))
    if (report.problems.length === 0) return { exit: EXIT.done }
    warn(formatProblems(report.problems.map(cleanText)))
    return { exit: EXIT.attention }
  },
}
