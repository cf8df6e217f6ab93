/** Finds the module of render threads beside this module: an `.mjs` file in a bundle, otherwise a `.ts` file. */
import { fileURLToPath } from 'node:url'

export function findThread(): string {
  const isBundled = import.meta.url.endsWith('.mjs')
  return fileURLToPath(new URL(`render-thread.${isBundled ? 'mjs' : 'ts'}`, import.meta.url))
}
