/** A Vite plugin: `import text from './x.ts?inline-script'` gives the module, bundled and minified, as text for a `<script>`. */
import type { Plugin } from 'vite'
import { build } from 'vite'

const SUFFIX = '?inline-script'

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
      const file = id.slice(0, -SUFFIX.length)
      const { code, modules } = await bundleScript(file)
      for (const module of modules) this.addWatchFile(module)
      return `export default ${JSON.stringify(code)}`
    },
  }
}

async function bundleScript(file: string): Promise<{ code: string; modules: readonly string[] }> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: { input: file, output: { format: 'iife' } },
    },
  })
  const chunks = [result].flat().flatMap((one) => ('output' in one ? one.output : []))
  const entry = chunks.find((chunk) => chunk.type === 'chunk')
  if (entry === undefined) throw new Error(`${file} gave no script`)
  return { code: entry.code.trim(), modules: entry.moduleIds }
}
