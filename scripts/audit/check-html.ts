/**
 * Checks the pages of a built site with the Nu HTML checker; by default, of a site with every kind of page. The checker
 * is a Java program in an npm package that is installed on demand.
 */
import { execFile } from 'node:child_process'
import { globSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { cleanText } from '../../src/domain/documents/text.ts'
import { SEARCH_PATH } from '../../src/domain/documents/page-table.ts'
import type { CommandDefinition } from '../../src/builder/commands/command.ts'
import { EXIT } from '../../src/builder/commands/exit-codes.ts'
import { formatExitCodes } from '../../src/builder/commands/program.ts'
import { ROOT } from '../../src/builder/state/project-folder.ts'
import { UsageError } from '../../src/builder/state/usage-error.ts'
import { formatCount } from '../../src/builder/format-numbers.ts'
import { installTool } from '../measure/install-tool.ts'
import { writeEveryKind } from './every-kind.ts'
import { openTemporarySite } from './temporary-site.ts'

const TOOL = { name: 'vnu-jar', version: '26.9.27', folder: join(ROOT, '.vitrina/html-checker') }
const JAR = 'build/dist/vnu.jar'
const OPTIONS = [
  '--stdout',
  '--format',
  'json',
  '--exit-zero-always',
  '--skip-info-messages',
  '--skip-non-html',
]
/** Max size of the checker's output, in bytes. */
const MAX_OUTPUT = 2 ** 28
// This finding is ignored: without the role, Safari does not announce a list without markers.
// Source: https://webkit.org/b/170179
const IGNORED = 'The “list” role is unnecessary for element “ul”.'

/**
 * Queries whose result pages differ in markup: no query, many products, a filter by decant, many sellers, hostile
 * names, nothing found.
 */
const QUERIES = [
  '',
  'q=eau',
  'q=eau&decants=5ml',
  'q=a',
  'q=alert',
  'q="><b>zzzz</b>',
  'q="><b>zzzz</b>&decants=10ml',
]

const run = promisify(execFile)

export const command: CommandDefinition<{ readonly folder: string | null }> = {
  configure: (parser) =>
    parser
      .argument('[folder]', 'a built site; without it, one with every kind of page is built')
      .addHelpText('after', formatExitCodes('done', 'attention', 'usage', 'unfinished')),
  parse: ({ words: [folder] }) => ({ folder: folder === undefined ? null : resolve(folder) }),
  run: async ({ folder }, { print, warn, progress }) => {
    await requireJava()
    const jar = join(await installTool(TOOL, progress.update), JAR)
    const site = folder === null ? await openEveryKind(progress.update) : { output: folder, close: () => {} }
    try {
      progress.update('Checking the pages')
      const { stdout } = await run('java', ['-jar', jar, ...OPTIONS, site.output], { maxBuffer: MAX_OUTPUT })
      const problems = listProblems(stdout, site.output)
      const pages = globSync('**/*.html', { cwd: site.output }).length
      if (pages === 0)
        throw new UsageError(`${site.output} has no pages. Name the folder of a built site, such as dist.`)
      progress.done('')
      for (const problem of problems) warn(cleanText(problem))
      const verdict = problems.length === 0 ? 'nothing wrong' : formatCount(problems.length, 'problem')
      print(`${formatCount(pages, 'page')}, ${verdict}`)
      return { exit: problems.length === 0 ? EXIT.done : EXIT.attention }
    } finally {
      await site.close()
    }
  },
}

/** Builds a site with every kind of page, and saves each query's result page in the site's folder. */
async function openEveryKind(progress: (text: string) => void): ReturnType<typeof openTemporarySite> {
  progress('Building a site with every kind of page')
  const site = await openTemporarySite(writeEveryKind)
  for (const [index, query] of QUERIES.entries()) {
    const response = await fetch(`${site.origin}${SEARCH_PATH}?${new URLSearchParams(query)}`)
    if (!response.ok)
      throw new Error(`the search page answered with status ${response.status} instead of 200`)
    writeFileSync(join(site.output, `search-${index}.html`), await response.text())
  }
  return site
}

interface Output {
  readonly messages: readonly {
    readonly url?: string
    readonly lastLine?: number
    readonly message: string
  }[]
}

/** Returns page, line and text of each error and warning in the checker's output, except `IGNORED`. */
export function listProblems(output: string, folder: string): readonly string[] {
  const { messages }: Output = JSON.parse(output)
  return messages
    .filter(({ message }) => message !== IGNORED)
    .map(({ url, lastLine = 0, message }) => {
      const page = url === undefined ? '' : relative(folder, fileURLToPath(url))
      return `${page}:${lastLine} ${message}`
    })
}

async function requireJava(): Promise<void> {
  try {
    await run('java', ['-version'])
  } catch (cause) {
    const advice = 'Install it (Debian: apt-get install default-jre-headless), then run again.'
    throw new UsageError(`The Nu HTML checker needs Java 17 or newer. ${advice}`, { cause })
  }
}
