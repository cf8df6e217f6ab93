/**
 * A Vite plugin for scripts that are bundled on their own. `import text from './x.ts?inline-script'` imports the code
 * as the content of an inline `<script>`. `import address from './x.ts?deferred-module'` imports the address of a file
 * of the site, which the script of a page imports when the visitor needs it.
 */
import { basename } from 'node:path'
import type { Plugin } from 'vite'
import { build } from 'vite'
import { hashBytes } from '../files/file-hashes.ts'
import { ROOT } from '../files/project-folder.ts'
import { OWN_CSS, SCRIPT_TARGET, STYLE_TARGET } from './browsers.ts'

const SUFFIX = /\?(inline-script|deferred-module)$/

export function bundledModules(): Plugin {
  const files = new Map<string, string>()
  let isBuilt = false
  return {
    name: 'vitrina:bundled-modules',
    enforce: 'pre',
    sharedDuringBuild: true,
    configResolved: ({ command }) => {
      isBuilt = command === 'build'
    },
    async resolveId(source, importer) {
      const [suffix] = SUFFIX.exec(source) ?? []
      if (suffix === undefined) return null
      const file = await this.resolve(source.slice(0, -suffix.length), importer)
      return file === null ? null : `${file.id}${suffix}`
    },
    async load(id) {
      const [suffix, kind] = SUFFIX.exec(id) ?? []
      if (suffix === undefined) return null
      const input = id.slice(0, -suffix.length)
      const isInline = kind === 'inline-script'
      // The development server serves the source file of a deferred module itself.
      if (!isInline && !isBuilt) return exportText(`/@fs${input}`)
      const { code, modules } = await bundleScript(input, isInline ? 'iife' : 'es')
      for (const module of modules) this.addWatchFile(module)
      if (isInline) return exportText(code)
      const name = `_astro/${basename(input, '.ts')}.${hashBytes(code).slice(0, 8)}.js`
      files.set(name, code)
      return exportText(`/${name}`)
    },
    // The server is built first, so all deferred modules are known when the files for browsers are written.
    generateBundle() {
      if (this.environment.name !== 'client') return
      for (const [fileName, source] of files) this.emitFile({ type: 'asset', fileName, source })
    },
  }
}

function exportText(text: string): string {
  return `export default ${JSON.stringify(text)}`
}

/**
 * Bundles a module with its imports into a classic script, or into a module with the exports of its entry. Returns also
 * the paths of the bundled modules.
 */
async function bundleScript(
  input: string,
  format: 'iife' | 'es',
): Promise<{ readonly code: string; readonly modules: readonly string[] }> {
  const result = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    css: OWN_CSS,
    build: {
      write: false,
      target: SCRIPT_TARGET,
      cssTarget: STYLE_TARGET,
      modulePreload: false,
      rolldownOptions: {
        input,
        ...(format === 'es' && { preserveEntrySignatures: 'exports-only' }),
        output: { format },
      },
    },
  })
  const chunks = [result].flat().flatMap((one) => ('output' in one ? one.output : []))
  const entry = chunks.find((chunk) => chunk.type === 'chunk')
  if (entry === undefined) throw new Error(`bundling ${input} produced no code`)
  return { code: entry.code.trim(), modules: entry.moduleIds }
}
