/** Configures Eleventy: one page for each catalogue in the database, and static files copied unchanged. */
import { loadCatalogues } from '../site-data.ts'

interface Configuration {
  addGlobalData(name: string, read: () => unknown): void
  addPassthroughCopy(paths: Readonly<Record<string, string>>): void
  setUseGitIgnore(uses: boolean): void
}

export default function configure(configuration: Configuration): object {
  configuration.setUseGitIgnore(false)
  configuration.addGlobalData('catalogues', () => loadCatalogues(process.env['BENCH_DATABASE'] ?? ''))
  configuration.addPassthroughCopy({ static: '/' })
  return { dir: { input: 'pages', output: 'dist' }, templateFormats: ['11ty.js'] }
}
