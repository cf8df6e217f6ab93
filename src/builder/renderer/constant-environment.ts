/**
 * A Vite plugin that makes compiled code independent of the environment variables of the compile. Astro inserts
 * variables into each module that uses `import.meta.env` as a whole: those whose names occur anywhere in the module, for
 * example `PORT`.
 */
import type { Plugin } from 'vite'

// Matches the uses that Astro replaces in this way: all except those followed by a dot, such as `import.meta.env.PORT`.
const WHOLE = /\bimport\.meta\.env\b(?!\.)/g

export function constantEnvironment(): Plugin {
  return {
    name: 'vitrina:constant-environment',
    apply: 'build',
    // Runs before Astro's plugin, which sets no `enforce`.
    enforce: 'pre',
    transform(code) {
      const constant = code.replace(WHOLE, '({ DEV: false, PROD: true })')
      return constant === code ? null : { code: constant, map: null }
    },
  }
}
