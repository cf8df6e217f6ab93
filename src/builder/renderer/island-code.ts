/**
 * A Vite plugin that removes the style and the script that Astro writes before the first island of a page, and the end
 * of the script of each directive. HTML allows no style element in the body, and the site's own style sheet has the
 * rule. The script would add 4.5 kB to each page; the site's directive defines a smaller element instead
 * (island-element.ts). The end of a directive's script only notifies Astro's element.
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
