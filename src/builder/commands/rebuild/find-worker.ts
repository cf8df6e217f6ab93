/** Finds the module of a worker in the folder of this module: an `.mjs` file in a bundle, otherwise a `.ts` file. */
import { fileURLToPath } from 'node:url'

export function findWorker(name: 'file-worker' | 'read-worker' | 'render-worker'): string {
  const isBundled = import.meta.url.endsWith('.mjs')
  return fileURLToPath(new URL(`${name}.${isBundled ? 'mjs' : 'ts'}`, import.meta.url))
}
