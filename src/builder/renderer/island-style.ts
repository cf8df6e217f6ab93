/**
 * A Vite plugin: Astro writes a style element before the first island of a page. HTML allows none inside the body, so
 * the compiled renderer omits it; the site's own style sheet has its rule.
 */
import type { Plugin } from 'vite'

const MODULE = '/astro/dist/runtime/server/scripts.js'
const STYLE = '<style>${ISLAND_STYLES}</style>'

export function omitIslandStyle(): Plugin {
  return {
    name: 'vitrina:omit-island-style',
    apply: 'build',
    transform(code, id) {
      if (!id.endsWith(MODULE)) return null
      if (!code.includes(STYLE))
        throw new Error(`${MODULE} writes no ${STYLE}: adapt island-style.ts to this Astro`)
      return { code: code.replace(STYLE, ''), map: null }
    },
  }
}
