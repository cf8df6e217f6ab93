/**
 * A Vite plugin: `import text from './x.ts?inline-script'` bundles the module and imports its code as the content of an
 * inline `<script>`.
 */
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { bundleText } from './bundle-text.ts'

const SUFFIX = '?inline-script'
const PIECES = JSON.stringify(fileURLToPath(new URL('fast/page-pieces.ts', import.meta.url)))

export function inlineScript(): Plugin {
  return {
    name: 'vitrina:inline-script',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (!source.endsWith(SUFFIX)) return null
      const file = await this.resolve(source.slice(0, -SUFFIX.length), importer)
      return file === null ? null : `${file.id}${SUFFIX}`
    },
    async load(id) {
      if (!id.endsWith(SUFFIX)) return null
      const { code, modules } = await bundleText({ input: id.slice(0, -SUFFIX.length), runsIn: 'browser' })
      for (const module of modules) this.addWatchFile(module)
      return `import { CommonMarkup } from ${PIECES}\nexport default new CommonMarkup(${JSON.stringify(code)})`
    },
  }
}
