/**
 * A Vite plugin that replaces Astro's runtime in a build: the components in `EAGER` use eager-markup.ts, and all others
 * use escaped-attributes.ts. The development server uses Astro's own runtime.
 */
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const EAGER = [
  'KeptLine.astro',
  'MessageLine.astro',
  'OrderBar.astro',
  'ProductCard.astro',
  'ProductList.astro',
  'ProductPhoto.astro',
  'ProductSizes.astro',
  'SearchButton.astro',
  'SharingTags.astro',
  'StructuredData.astro',
]
const ASTRO = 'astro/compiler-runtime'

export function eagerComponents(): Plugin {
  return {
    name: 'vitrina:eager-components',
    enforce: 'pre',
    apply: 'build',
    resolveId: (source, importer = '') =>
      source === ASTRO && importer.endsWith('.astro') ? findRuntime(basename(importer)) : null,
  }
}

function findRuntime(component: string): string {
  const runtime = EAGER.includes(component) ? 'eager-markup.ts' : '../escaped-attributes.ts'
  return fileURLToPath(new URL(runtime, import.meta.url))
}
