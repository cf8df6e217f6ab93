/** Makes `astro build` produce the renderer: a server bundle that turns a page's data into its HTML. */
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import type { Plugin } from 'vite'
import { defaultServerConditions } from 'vite'
import { OWN_CSS, SCRIPT_TARGET, STYLE_TARGET } from './browsers.ts'
import { bundledModules } from './bundled-modules.ts'
import { WEB_CLASSES, withoutSchemas } from './cold-start.ts'
import { writeInlineHashes } from './inline-code.ts'
import { checkInputs } from './input-check.ts'
import { omitIslandCode } from './island-code.ts'
import type { CompiledFolders } from './stable-code.ts'
import { constantEnvironment, writeStableRoot } from './stable-code.ts'

interface RendererOptions {
  /** Module that provides page data in the development server. */
  readonly devMiddleware: URL
  /** Files whose changes reload pages in the development server. */
  readonly devData: readonly string[]
}

// Bundles all packages into the renderer, so that it loads faster: React's production build for workerd, which loads
// none of Node's modules.
const SELF_CONTAINED = {
  define: { 'process.env.NODE_ENV': '"production"', ...WEB_CLASSES },
  ssr: { noExternal: true as const, resolve: { conditions: ['workerd', ...defaultServerConditions] } },
}

/**
 * Compiles for the oldest browsers; styles are compiled with the server's code. Also turns off Vite's prebundling: a
 * build starts a development server, which would bundle packages into a folder that other projects share.
 */
function compileSettings(): Plugin {
  return {
    name: 'vitrina:compile-settings',
    config: () => ({ build: { cssTarget: STYLE_TARGET } }),
    configEnvironment: (name) => (name === 'client' ? { build: { target: SCRIPT_TARGET } } : null),
    configResolved: ({ environments }) => {
      for (const { optimizeDeps } of Object.values(environments)) optimizeDeps.include = []
    },
  }
}

/** Gives components the runtime of escaped-attributes.ts. The development server uses Astro's own. */
function escapedAttributes(): Plugin {
  const runtime = fileURLToPath(new URL('escaped-attributes.ts', import.meta.url))
  return {
    name: 'vitrina:escaped-attributes',
    enforce: 'pre',
    apply: 'build',
    resolveId: (source, importer = '') =>
      source === 'astro/compiler-runtime' && importer.endsWith('.astro') ? runtime : null,
  }
}

const DIRECTIVES = {
  built: '../../site/islands/built-interaction.ts',
  dev: '../../site/islands/interaction-directive.ts',
}

export function renderer({ devMiddleware, devData }: RendererOptions): AstroIntegration {
  let folders: CompiledFolders & { readonly outDir: URL }
  return {
    name: 'vitrina:renderer',
    hooks: {
      'astro:config:setup': ({ command, config, updateConfig, addClientDirective, addMiddleware }) => {
        updateConfig({
          vite: {
            plugins: [
              bundledModules(),
              constantEnvironment(),
              escapedAttributes(),
              omitIslandCode(),
              withoutSchemas(),
              checkInputs(config.root),
              ...(command === 'build' ? [compileSettings()] : []),
            ],
            css: OWN_CSS,
            ...(command === 'build' ? SELF_CONTAINED : {}),
          },
        })
        addClientDirective({
          name: 'interaction',
          // This is a path, because Astro passes it to esbuild, which does not accept file: URLs.
          entrypoint: fileURLToPath(
            new URL(DIRECTIVES[command === 'build' ? 'built' : 'dev'], import.meta.url),
          ),
        })
        if (command === 'dev') addMiddleware({ order: 'pre', entrypoint: devMiddleware })
      },
      'astro:config:done': ({ config, setAdapter }) => {
        folders = config
        setAdapter({
          name: 'vitrina:renderer',
          entrypointResolution: 'auto',
          serverEntrypoint: new URL('server-entry.ts', import.meta.url),
          supportedAstroFeatures: { serverOutput: 'stable' },
        })
      },
      'astro:server:setup': ({ server }) => {
        server.watcher.add([...devData])
        server.watcher.on('change', (file) => {
          if (devData.includes(file)) server.ws.send({ type: 'full-reload' })
        })
      },
      'astro:build:done': async () => {
        writeStableRoot(new URL('server/', folders.outDir), folders)
        await writeInlineHashes(folders.outDir)
      },
    },
  }
}
