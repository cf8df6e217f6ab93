/**
 * A Vite plugin that reduces one module of Astro to the table that the compiled server needs. It removes the schemas of
 * the content security policy and with them zod: 160 kB that each run would load.
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
        throw new Error(
          `${MODULE} no longer contains ALGORITHMS: adapt without-schemas.ts to this version of Astro`,
        )
      // Drops the module's other exports. If a later Astro needs one of them, the compile fails.
      return { code: `${table}\nexport { ALGORITHMS }`, map: null }
    },
  }
}
