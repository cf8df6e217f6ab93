/** `check:imports [root]`: imports against `rooms.ts`, in a circle, or of a file that is not there. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import type { CommandDefinition } from '../../src/builder/commands/command.ts'
import { EXIT } from '../../src/builder/commands/exit-codes.ts'
import { formatExitCodes } from '../../src/builder/commands/program.ts'
import { ROOT } from '../../src/builder/state/project-folder.ts'
import { listImports } from './list-imports.ts'
import type { Wing } from './rooms.ts'
import { MAX_ENTERED_ROOMS, WINGS } from './rooms.ts'

interface FileImport {
  readonly from: string
  /** A file of the project, from its root. */
  readonly to: string
}

/** Stands for the room of a file that is in none. */
const WHOLE_WING = '.'

const FILES = ['{src,functions,scripts,tests}/**/*.{ts,tsx,astro,mjs}', 'astro.config.mjs']

export const command: CommandDefinition<{ readonly root: string }> = {
  configure: (parser) =>
    void parser
      .argument('[root]', 'a project; this one unless said otherwise')
      .addHelpText('after', formatExitCodes('done', 'attention')),
  parse: ({ words: [root = ROOT] }) => ({ root: resolve(root) }),
  run: async ({ root }, { warn }) => {
    const wrong = checkImports(root)
    wrong.forEach(warn)
    return { exit: wrong.length > 0 ? EXIT.attention : EXIT.done }
  },
}

/** Returns what is wrong, a line each and the number of them last; nothing when all is well. */
export function checkImports(root: string): readonly string[] {
  const files = globSync(FILES, { cwd: root, exclude: ['**/node_modules/**'] }).sort()
  const tree: Tree = { root, imports: [] }
  const wrong = [
    ...files.flatMap((file) => checkFile(file, tree)),
    ...findCircles(tree.imports),
    ...findOpenWings(tree.imports),
  ]
  return wrong.length === 0
    ? []
    : [...wrong, `${wrong.length} against the wings and rooms of scripts/audit/rooms.ts.`]
}

interface Tree {
  readonly root: string
  /** Those met so far. */
  readonly imports: FileImport[]
}

function checkFile(from: string, tree: Tree): readonly string[] {
  const wing = findWing(from)
  if (wing === undefined) return [`${from}: belongs to no wing`]
  if (findRoom(wing, from) === undefined) return [`${from}: belongs to no room of ${wing.path}`]
  return listImports(from, readFileSync(join(tree.root, from), 'utf8')).flatMap((specifier) => {
    const problem = findProblem({ from, wing, specifier }, tree)
    return problem === null ? [] : [`${from}: imports ${specifier}, ${problem}`]
  })
}

interface WrittenImport {
  readonly from: string
  readonly wing: Wing
  readonly specifier: string
}

function findProblem({ from, wing, specifier }: WrittenImport, { root, imports }: Tree): string | null {
  if (specifier.startsWith('node:') || builtinModules.includes(specifier))
    return wing.node ? null : `but ${wing.path} runs outside Node`
  if (!specifier.startsWith('.')) return null
  const to = relative(root, resolve(root, dirname(from), specifier.replace(/\?.*$/, '')))
  if (!existsSync(join(root, to))) return 'which is not there'
  imports.push({ from, to })
  const other = findWing(to)
  if (other === undefined) return 'which belongs to no wing'
  if (other === wing) return findRoomProblem(wing, from, to)
  return wing.imports.includes(other.path) ? null : `but ${wing.path} may not import ${other.path}`
}

function findRoomProblem(wing: Wing, from: string, to: string): string | null {
  const [room, other] = [findRoom(wing, from), findRoom(wing, to)]
  if (room === undefined || other === undefined || room === other) return null
  // A file that stands in no room, such as the launcher, may enter all of them, and none may import it.
  if (room === WHOLE_WING) return null
  const allowed = wing.rooms?.find(({ name }) => name === room)?.imports ?? []
  return allowed.includes(other) ? null : `but ${wing.path}/${room} may not import ${wing.path}/${other}`
}

function findWing(file: string): Wing | undefined {
  return WINGS.find(({ path }) => file === path || file.startsWith(`${path}/`))
}

/** `.` for a wing without rooms, and for declarations and scripts at the top of a wing. */
function findRoom({ path, rooms }: Wing, file: string): string | undefined {
  if (rooms === null) return WHOLE_WING
  const [name = '', ...rest] = file.slice(path.length + 1).split('/')
  const room = rooms.find((one) => one.name === name)?.name
  return room ?? (rest.length === 0 && /\.(d\.ts|mjs)$/.test(name) ? WHOLE_WING : undefined)
}

/** The first circle that is found from each file, once. */
function findCircles(all: readonly FileImport[]): readonly string[] {
  const next = Map.groupBy(all, ({ from }) => from)
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (file: string, way: readonly string[]): void => {
    const start = way.indexOf(file)
    if (start >= 0) circles.push(`a circle: ${[...way.slice(start), file].join(' -> ')}`)
    if (start >= 0 || done.has(file)) return
    for (const { to } of next.get(file) ?? []) visit(to, [...way, file])
    done.add(file)
  }
  for (const file of next.keys()) visit(file, [])
  return circles
}

function findOpenWings(all: readonly FileImport[]): readonly string[] {
  return WINGS.flatMap((wing) => {
    if (wing.rooms === null) return []
    const entered = all.filter(({ from, to }) => findWing(to) === wing && isOutside(from, wing))
    const rooms = new Set(entered.map(({ to }) => findRoom(wing, to)))
    return rooms.size <= MAX_ENTERED_ROOMS
      ? []
      : [`${wing.path}: ${rooms.size} rooms are entered from outside, at most ${MAX_ENTERED_ROOMS} may be`]
  })
}

function isOutside(from: string, wing: Wing): boolean {
  return findWing(from) !== wing && !from.startsWith('tests/')
}
