/**
 * Checks every import of the project against the tables of `docs/design.md`, and that no files import each other in a
 * circle.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import type { ESTree } from 'vite'
import { parseSync, Visitor } from 'vite'
import type { Wing } from './rooms.ts'
import { findArrowProblem, findRoom, findWing, MAX_ENTERED_ROOMS, WINGS } from './rooms.ts'

/** Returns a line for each problem under `root`. */
export function checkImports(root: string): readonly string[] {
  const files = globSync(['{src,functions,scripts,tests}/**/*.{ts,tsx,astro,mjs}', 'astro.config.mjs'], {
    cwd: root,
    exclude: ['**/node_modules/**'],
  })
  const checked = files.sort().map((file) => checkFile(root, file))
  const imports = checked.flatMap((file) => file.imports)
  return [...checked.flatMap(({ problems }) => problems), ...findCircles(imports), ...findOpenWings(imports)]
}

interface FileImport {
  readonly from: string
  /** Path of the imported file, relative to the project's root. */
  readonly to: string
}

interface CheckedFile {
  /** Imports of existing files of the project. */
  readonly imports: readonly FileImport[]
  readonly problems: readonly string[]
}

function checkFile(root: string, from: string): CheckedFile {
  const wing = findWing(from)
  if (wing === undefined)
    return {
      imports: [],
      problems: [`${from}: belongs to no wing: move it, or add a wing to docs/design.md`],
    }
  if (findRoom(wing, from) === undefined)
    return {
      imports: [],
      problems: [`${from}: belongs to no room of ${wing.path}: move it, or add a room to docs/design.md`],
    }
  const imports: FileImport[] = []
  const problems: string[] = []
  for (const specifier of listImports(from, readFileSync(join(root, from), 'utf8'))) {
    const to = findTarget(root, from, specifier)
    if (to !== null) imports.push({ from, to })
    const problem = to === null ? findOuterProblem(wing, specifier) : findArrowProblem(wing, from, to)
    if (problem !== null) problems.push(`${from}: imports ${specifier}, ${problem}`)
  }
  return { imports, problems }
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

/** Returns a line for each import that closes a cycle in a depth-first search. */
function findCircles(all: readonly FileImport[]): readonly string[] {
  const next = Map.groupBy(all, ({ from }) => from)
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file)
    if (start >= 0) circles.push(`a circle: ${[...path.slice(start), file].join(' -> ')}`)
    if (start >= 0 || done.has(file)) return
    for (const { to } of next.get(file) ?? []) visit(to, [...path, file])
    done.add(file)
  }
  for (const file of next.keys()) visit(file, [])
  return circles
}

/**
 * Returns a line for each wing with more than `MAX_ENTERED_ROOMS` rooms that other wings import. Tests are not counted.
 */
function findOpenWings(all: readonly FileImport[]): readonly string[] {
  return WINGS.flatMap((wing) => {
    if (wing.rooms.length === 0) return []
    const entered = all.filter(({ from, to }) => findWing(to) === wing && isOutside(from, wing))
    const rooms = new Set(entered.map(({ to }) => findRoom(wing, to)))
    return rooms.size <= MAX_ENTERED_ROOMS
      ? []
      : [
          `${wing.path}: other wings import from ${rooms.size} of its rooms, but at most ${MAX_ENTERED_ROOMS} are permitted`,
        ]
  })
}

function isOutside(from: string, wing: Wing): boolean {
  return findWing(from) !== wing && !from.startsWith('tests/')
}
