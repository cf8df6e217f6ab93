/** `npm run check:pages -- [folder]`: looks at every file of a built site; exit code 1 when something is wrong. */
import { resolve } from 'node:path'
import { cleanText } from '../../src/domain/documents/text.ts'
import { checkSite } from './pages/check-site.ts'
import { openBuiltSite } from './pages/built-site.ts'
import { formatProblems, formatTable } from './pages/format-site-report.ts'

const folder = resolve(process.argv[2] ?? 'dist')
try {
  const report = await checkSite(openBuiltSite(folder))
  console.log(formatTable(report))
  if (report.kinds.size === 0) throw new Error(`${folder} holds no page. Run npm run build first.`)
  if (report.problems.length > 0) console.error(formatProblems(report.problems.map(cleanText)))
  process.exitCode = report.problems.length > 0 ? 1 : 0
} catch (error) {
  console.error(`check:pages: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 2
}
