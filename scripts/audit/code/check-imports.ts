/** Checks every import of the project against the tables of `docs/design.md`. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import type { ESTree } from 'vite'
import { parseSync, Visitor } from 'vite'
import type { Wing } from './rooms.ts'
import { findArrowProblem, findRoom, findWing } from './rooms.ts'

/** Returns a line for each problem under `root`. */
export function checkImports(root: string): readonly string[] {
  const files = globSync(['{src,functions,scripts,tests}/**/*.{ts,tsx,astro,mjs}', 'astro.config.mjs'], {
    cwd: root,
    exclude: ['**/node_modules/**'],
  })
  return files.sort().flatMap((file) => checkFile(root, file))
}

function checkFile(root: string, from: string): readonly string[] {
  const wing = findWing(from)
  if (wing === undefined) return [`${from}: belongs to no wing: move it, or add a wing to docs/design.md`]
  if (findRoom(wing, from) === undefined)
    return [`${from}: belongs to no room of ${wing.path}: move it, or add a room to docs/design.md`]
  return listImports(from, readFileSync(join(root, from), 'utf8')).flatMap((specifier) => {
    const to = findTarget(root, from, specifier)
    const problem = to === null ? findOuterProblem(wing, specifier) : findArrowProblem(wing, from, to)
    return problem === null ? [] : [`${from}: imports ${specifier}, ${problem}`]
  })
}

/**
 * Returns the specifiers of imports, type imports and re-exports, as written. Includes dynamic imports whose specifier
 * is a literal.
 */
function listImports(file: string, text: string): readonly string[] {
  const { module, program } = parseCode(file, text)
  const found = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries: [entry] }) => entry?.moduleRequest?.value ?? []),
  ]
  const keep = ({ source }: { readonly source: ESTree.Expression }): void => {
    if (source.type === 'Literal' && typeof source.value === 'string') found.push(source.value)
  }
  if (text.includes('import(')) new Visitor({ ImportExpression: keep, TSImportType: keep }).visit(program)
  return found
}

/**
 * The extension of `file` determines the language. An Astro file is parsed only up to the end of its frontmatter.
 * Throws if parsing fails.
 */
function parseCode(file: string, text: string): ReturnType<typeof parseSync> {
  const isAstro = file.endsWith('.astro')
  const code = isAstro ? (/^---\n(.*?)\n---/s.exec(text)?.[1] ?? '') : text
  const parsed = parseSync(isAstro ? 'file.ts' : file, code)
  const [error] = parsed.errors
  if (error !== undefined) throw new Error(`${file} does not parse: ${error.message}`)
  return parsed
}

/** Returns the imported file relative to the project's root; `null` for packages, Node's modules and missing files. */
function findTarget(root: string, from: string, specifier: string): string | null {
  if (!specifier.startsWith('.')) return null
  const to = relative(root, resolve(root, dirname(from), specifier.replace(/\?.*$/, '')))
  return existsSync(join(root, to)) ? to : null
}

function findOuterProblem(wing: Wing, specifier: string): string | null {
  if (specifier.startsWith('.')) return 'which is not there'
  const isNode = specifier.startsWith('node:') || builtinModules.includes(specifier)
  return isNode && !wing.node ? `but ${wing.path} runs outside Node` : null
}
