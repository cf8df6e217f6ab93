/**
 * A Vite plugin that makes a compile fail if it uses a module of the project outside `COMPILE_INPUTS`. Exempts
 * `node_modules` and top-level names that begin with a dot.
 */
import { isAbsolute, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { formatPath } from '../state/manifest.ts'
import { CompileError } from './compile-error.ts'
import { COMPILE_INPUTS } from './fingerprint.ts'

export function checkInputs(root: URL): Plugin {
  const folder = fileURLToPath(root)
  return {
    name: 'vitrina:check-inputs',
    buildEnd() {
      const strange = [...this.getModuleIds()].filter((id) => isStrange(id, folder))
      if (strange.length > 0)
        throw new CompileError(
          `Pages are compiled from ${strange.join(', ')}, which is not in COMPILE_INPUTS (fingerprint.ts). Add it there, so that its changes cause a compile.`,
        )
    },
  }
}

function isStrange(id: string, folder: string): boolean {
  const file = id.replace(/\?.*$/, '')
  if (!isAbsolute(file) || !file.startsWith(folder)) return false
  const path = formatPath(relative(folder, file))
  if (/(^|\/)node_modules\//.test(path) || path.startsWith('.')) return false
  return !COMPILE_INPUTS.some((input) => path === input || path.startsWith(`${input}/`))
}
