/** Checks the pages of a built site with the Nu HTML checker. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { cleanText } from '../../src/domain/documents/text.ts'
import type { CommandDefinition } from '../../src/builder/commands/command.ts'
import { EXIT } from '../../src/builder/commands/exit-codes.ts'
import { formatExitCodes } from '../../src/builder/commands/program.ts'
import { ROOT } from '../../src/builder/state/project-folder.ts'
import { UsageError } from '../../src/builder/state/usage-error.ts'
import { formatCount } from '../measure/format-figures.ts'
import { checkFolder } from './html/check-folder.ts'
import { openChecker } from './html/open-checker.ts'
import { readSearchPages } from './html/read-search-pages.ts'
import { writeEveryKind } from './html/write-documents.ts'
import { formatProblems } from './pages/format-site-report.ts'
import type { TemporarySite } from './temporary-site.ts'
import { openTemporarySite } from './temporary-site.ts'

interface CheckedSite extends Omit<TemporarySite, 'origin'> {
  /** `null` if the site is not served. */
  readonly origin: string | null
}

const TOOL = { name: 'vnu-jar', version: '26.9.27', folder: join(ROOT, '.vitrina/html-checker') }

export const command: CommandDefinition<{ readonly folder: string | null }> = {
  configure: (parser) =>
    parser
      .argument('[folder]', 'a built site; without it, one with every kind of page is built')
      .addHelpText('after', formatExitCodes('done', 'attention', 'usage', 'unfinished')),
  parse: ({ words: [folder] }) => ({ folder: folder === undefined ? null : resolve(folder) }),
  run: async ({ folder }, { print, warn, progress }) => {
    if (folder !== null && !existsSync(folder)) throw new UsageError(`${folder} does not exist.`)
    const checker = await openChecker(TOOL, progress.update)
    if (folder === null) progress.update('Building a site with every kind of page')
    const site: CheckedSite = folder === null ? await openTemporarySite(writeEveryKind) : leaveAlone(folder)
    try {
      progress.update('Checking the pages')
      const answers = site.origin === null ? new Map() : await readSearchPages(site.origin)
      const { pages, problems } = await checkFolder(site.output, checker, answers)
      progress.done('')
      const verdict = problems.length === 0 ? 'nothing wrong' : `${formatCount(problems.length)} problems`
      print(`${formatCount(pages)} pages, ${verdict}`)
      if (problems.length === 0) return { exit: EXIT.done }
      warn(formatProblems(problems.map(cleanText)))
      return { exit: EXIT.attention }
    } finally {
      await site.close()
    }
  },
}

/** The folder alone has no search. */
function leaveAlone(output: string): CheckedSite {
  return { output, origin: null, close: async () => {} }
}
