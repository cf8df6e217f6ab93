/** The inputs of a compile. A compile fails if it uses another module of the project, whose changes cause no compile. */
import { isAbsolute, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { formatPath } from '../files/file-hashes.ts'
import { CompileError } from './compile.ts'

/** Paths of the files and folders of this project that are compiled or configure a compile. */
const COMPILE_INPUTS = [
  'src/site',
  'src/domain',
  'src/builder/renderer',
  'astro.config.mjs',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]

export function isCompileInput(path: string): boolean {
  return COMPILE_INPUTS.some((input) => path === input || path.startsWith(`${input}/`))
}

/** A Vite plugin. Exempts `node_modules` and top-level names that begin with a dot. */
export function checkInputs(root: URL): Plugin {
  const folder = fileURLToPath(root)
  return {
    name: 'vitrina:check-inputs',
    buildEnd() {
      const strange = [...this.getModuleIds()].filter((id) => isStrange(id, folder))
      if (strange.length === 0) return
      throw new CompileError(`Pages are compiled from ${strange.join(', ')}: add it to COMPILE_INPUTS`)
    },
  }
}

function isStrange(id: string, folder: string): boolean {
  const file = id.replace(/\?.*$/, '')
  if (!isAbsolute(file) || !file.startsWith(folder)) return false
  const path = formatPath(relative(folder, file))
  if (/(^|\/)node_modules\//.test(path) || path.startsWith('.')) return false
  return !isCompileInput(path)
}
