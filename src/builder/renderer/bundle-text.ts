/** Bundles modules into one text, without types, comments and unused code. */
import type { Plugin } from 'vite'
import { build } from 'vite'

export interface BundleOptions {
  /** Path of the entry module. */
  readonly input: string
  readonly runsIn: 'browser' | 'server'
  readonly plugins?: readonly Plugin[]
}

export interface BundledText {
  readonly code: string
  /** Ids of the bundled modules; the id of a file is its path. */
  readonly modules: readonly string[]
}

/** The same modules give the same text: a classic script for browsers, a module that imports packages for servers. */
export async function bundleText({ input, runsIn, plugins = [] }: BundleOptions): Promise<BundledText> {
  const isServer = runsIn === 'server'
  const result = await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [...plugins],
    build: {
      write: false,
      minify: true,
      ssr: isServer,
      target: isServer ? 'node24' : 'es2022',
      modulePreload: false,
      rolldownOptions: { input, output: isServer ? { codeSplitting: false } : { format: 'iife' } },
    },
  })
  const chunks = [result].flat().flatMap((one) => ('output' in one ? one.output : []))
  const entry = chunks.find((chunk) => chunk.type === 'chunk')
  if (entry === undefined) throw new Error(`bundling ${input} gave no code`)
  return { code: entry.code.trim(), modules: entry.moduleIds }
}
