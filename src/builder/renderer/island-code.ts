/**
 * A Vite plugin that removes Astro's own code for islands: a style that HTML does not allow in the body (the site's
 * style sheet has its rule), a script of 4.5 kB (island-element.ts replaces it), and the end of each directive's
 * script, which only notifies Astro's element.
 */
import type { Plugin } from 'vite'

const MODULE = '/astro/dist/runtime/server/scripts.js'
const STYLE = '<style>${ISLAND_STYLES}</style>'
const DIRECTIVE = 'return clientDirective;'
const WITHOUT_END = `return clientDirective.slice(0, clientDirective.indexOf('(self.Astro')) + '})()';`
const SCRIPT = '<script>${process.env.NODE_ENV === "development" ? islandScriptDev : islandScript}</script>'

export function omitIslandCode(): Plugin {
  return {
    name: 'vitrina:omit-island-code',
    apply: 'build',
    transform(code, id) {
      if (!id.endsWith(MODULE)) return null
      for (const part of [STYLE, SCRIPT, DIRECTIVE])
        if (!code.includes(part))
          throw new Error(
            `${MODULE} no longer contains ${part}: adapt island-code.ts to this version of Astro`,
          )
      return { code: code.replace(STYLE, '').replace(SCRIPT, '').replace(DIRECTIVE, WITHOUT_END), map: null }
    },
  }
}
