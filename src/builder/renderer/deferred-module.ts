/**
 * A Vite plugin: `import address from './x.ts?deferred-module'` imports the address of a module. The script of a page
 * imports the module from this address when the visitor needs it. The module and its imports become one file of the
 * site.
 */
import { basename } from 'node:path'
import type { Plugin } from 'vite'
import { hashBytes } from '../state/manifest.ts'
import { bundleText } from './bundle-text.ts'

const SUFFIX = '?deferred-module'

export function deferredModule(): Plugin {
  const files = new Map<string, string>()
  let isBuilt = false
  return {
    name: 'vitrina:deferred-module',
    enforce: 'pre',
    sharedDuringBuild: true,
    configResolved: ({ command }) => {
      isBuilt = command === 'build'
    },
    async resolveId(source, importer) {
      if (!source.endsWith(SUFFIX)) return null
      const file = await this.resolve(source.slice(0, -SUFFIX.length), importer)
      return file === null ? null : `${file.id}${SUFFIX}`
    },
    async load(id) {
      if (!id.endsWith(SUFFIX)) return null
      const input = id.slice(0, -SUFFIX.length)
      // The development server serves the source file itself, without bundling it.
      if (!isBuilt) return `export default ${JSON.stringify(`/@fs${input}`)}`
      const { code, modules } = await bundleText({ input, runsIn: 'browser', format: 'es' })
      for (const module of modules) this.addWatchFile(module)
      const name = `_astro/${basename(input, '.ts')}.${hashBytes(code).slice(0, 8)}.js`
      files.set(name, code)
      return `export default ${JSON.stringify(`/${name}`)}`
    },
    // The server is built first, so all deferred modules are known when the files for browsers are written.
    generateBundle() {
      if (this.environment.name !== 'client') return
      for (const [fileName, source] of files) this.emitFile({ type: 'asset', fileName, source })
    },
  }
}
