/** A Vite plugin: a catalogue's list and structured data are rendered by eager-markup.ts. The development server has Astro's. */
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const EAGER = ['ProductList.astro', 'ProductCard.astro', 'ProductPhoto.astro', 'StructuredData.astro']
const ASTRO = 'astro/compiler-runtime'

export function eagerComponents(): Plugin {
  return {
    name: 'vitrina:eager-components',
    enforce: 'pre',
    apply: 'build',
    resolveId: (source, importer = '') =>
      source === ASTRO && EAGER.includes(basename(importer))
        ? fileURLToPath(new URL('eager-markup.ts', import.meta.url))
        : null,
  }
}
