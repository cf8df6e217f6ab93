/**
 * A Vite plugin: one module of Astro has a table that the compiled server needs, and the schemas of a content security
 * policy, which it does not need. Without the schemas zod is not part of the server either: 160 kB that each run loads.
 */
import type { Plugin } from 'vite'

const MODULE = '/astro/dist/core/csp/config.js'
const TABLE = /^const ALGORITHMS = \{[^}]+\};$/m

export function withoutSchemas(): Plugin {
  return {
    name: 'vitrina:without-schemas',
    apply: 'build',
    transform(code, id) {
      if (!id.endsWith(MODULE)) return null
      const table = TABLE.exec(code)?.[0]
      if (table === undefined)
        throw new Error(`${MODULE} has no ALGORITHMS: adapt without-schemas.ts to this Astro`)
      // If a later Astro needs another export, the compile fails.
      return { code: `${table}\nexport { ALGORITHMS }`, map: null }
    },
  }
}
