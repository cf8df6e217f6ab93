/** Finds names that several files export, because a search for a name should lead to one place. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseCode } from './parse-code.ts'

/** Names that several files may export, because the launcher, test runner, Astro, Eleventy or Worker looks for them. */
const FIXED: readonly string[] = [
  'command',
  'setup',
  'addAttribute',
  'render',
  'SiteCoordinator',
  'SearchShard',
]

const FILES = '{src,functions,scripts,tests}/**/*.{ts,tsx,mjs}'

/** Returns a line for each name outside `FIXED` that several files under `root` export. */
export function checkNames(root: string): readonly string[] {
  const places = new Map<string, string[]>()
  for (const file of globSync(FILES, { cwd: root, exclude: ['**/node_modules/**'] }).sort())
    for (const name of listExports(file, readFileSync(join(root, file), 'utf8')))
      places.set(name, [...(places.get(name) ?? []), file])
  return [...places]
    .filter(([name, files]) => files.length > 1 && !FIXED.includes(name))
    .map(([name, files]) => `${name}: exported by ${files.join(', ')}`)
}

/** Returns the names that a file declares and exports, without its re-exports. */
function listExports(file: string, text: string): readonly string[] {
  const entries = parseCode(file, text).module.staticExports.flatMap((found) => found.entries)
  const own = entries.filter(({ moduleRequest }) => moduleRequest === null)
  return [...new Set(own.flatMap(({ exportName: { kind, name } }) => (kind === 'Name' ? (name ?? []) : [])))]
}
