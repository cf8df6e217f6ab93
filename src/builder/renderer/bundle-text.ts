/** Bundles modules into one text, without types, comments and unused code. */
import type { Plugin } from 'vite'
import { build } from 'vite'
import { ROOT } from '../state/project-folder.ts'
import { OWN_CSS, SCRIPT_TARGET, STYLE_TARGET } from './browsers.ts'

interface BundleOptions {
  /** Path of the entry module. */
  readonly input: string
  readonly runsIn: 'browser' | 'server'
  /**
   * Format of code for browsers; ignored for servers. `iife`, the default: a classic script; `es`: a module with the
   * exports of its entry.
   */
  readonly format?: 'iife' | 'es'
  readonly plugins?: readonly Plugin[]
}

interface BundledText {
  readonly code: string
  /** Ids of the bundled modules; the id of a file is its path. */
  readonly modules: readonly string[]
}

/**
 * Bundles a module with its imports. The same modules give the same text in every working directory. Code for servers
 * imports packages instead of including them.
 */
export async function bundleText({
  input,
  runsIn,
  format = 'iife',
  plugins = [],
}: BundleOptions): Promise<BundledText> {
  const isServer = runsIn === 'server'
  const result = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [...plugins],
    css: OWN_CSS,
    build: {
      write: false,
      minify: true,
      ssr: isServer,
      target: isServer ? 'node24' : SCRIPT_TARGET,
      cssTarget: STYLE_TARGET,
      modulePreload: false,
      rolldownOptions: {
        input,
        ...(format === 'es' && { preserveEntrySignatures: 'exports-only' }),
        output: isServer ? { codeSplitting: false } : { format },
      },
    },
  })
  const chunks = [result].flat().flatMap((one) => ('output' in one ? one.output : []))
  const entry = chunks.find((chunk) => chunk.type === 'chunk')
  if (entry === undefined) throw new Error(`bundling ${input} produced no code`)
  return { code: entry.code.trim(), modules: entry.moduleIds }
}
