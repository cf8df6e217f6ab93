/** The wings and rooms of the project with their permitted imports, as the tables of `docs/design.md` list them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../../src/builder/files/project-folder.ts'

interface Room {
  /** Name of a folder or a file in the wing. */
  readonly name: string
  /** Other rooms of the wing that this room may import. */
  readonly imports: readonly string[]
}

export interface Wing {
  /** Path of a folder or a file, relative to the project's root. */
  readonly path: string
  /** Other wings that this wing may import. */
  readonly imports: readonly string[]
  /** True if the wing's files may import Node's own modules. */
  readonly node: boolean
  /** True if the wing's files are bundled into the Worker. */
  readonly worker: boolean
  /** If empty, the wing's files may import each other freely. */
  readonly rooms: readonly Room[]
}

/** Room of all files of a wing without rooms, and of the `.d.ts` and `.mjs` files at the top of other wings. */
const WHOLE_WING = '.'

const DESIGN = readFileSync(join(ROOT, 'docs/design.md'), 'utf8')

const ROOMS = readTable('room').map(([path = '', , imports = '']) => ({
  path: readName(path),
  imports: readNames(imports),
}))

/** The wings in the order of the table. A file belongs to the first wing whose path contains the file. */
export const WINGS: readonly Wing[] = readTable('wing').map(([cell = '', runsIn = '', , imports = '']) => {
  const path = readName(cell)
  const rooms = ROOMS.filter((room) => room.path.startsWith(`${path}/`)).map((room) => ({
    name: room.path.slice(path.length + 1),
    imports: room.imports,
  }))
  return {
    path,
    imports: readNames(imports),
    node: ['Node', 'Cloud Functions'].includes(runsIn),
    worker: ['Worker', 'anywhere'].includes(runsIn),
    rooms,
  }
})

/** Returns the rows of the table whose first header cell is `first`, each as a list of cells. */
function readTable(first: string): readonly (readonly string[])[] {
  const [, rows = ''] = new RegExp(`^\\| ${first} .*\\n\\|[-| ]+\\n((?:\\|.*\\n)+)`, 'm').exec(DESIGN) ?? []
  return rows
    .trim()
    .split('\n')
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
}

function readName(cell: string): string {
  return cell.replaceAll('`', '')
}

function readNames(cell: string): readonly string[] {
  return cell === 'nothing' ? [] : readName(cell).split(', ')
}

/** Returns the wing of a file, whose path is relative to the project's root. */
export function findWing(file: string): Wing | undefined {
  return WINGS.find(({ path }) => file === path || file.startsWith(`${path}/`))
}

/**
 * Returns the name of a file's room; `undefined` if the file belongs to no room. Returns `.` in a wing without rooms,
 * and for `.d.ts` and `.mjs` files at the top of a wing.
 */
export function findRoom({ path, rooms }: Wing, file: string): string | undefined {
  if (rooms.length === 0) return WHOLE_WING
  const [name = '', ...rest] = file.slice(path.length + 1).split('/')
  const room = rooms.find((one) => one.name === name)?.name
  return room ?? (rest.length === 0 && /\.(d\.ts|mjs)$/.test(name) ? WHOLE_WING : undefined)
}

/** Returns why the file `from` of `wing` may not import `to`; `null` if it may. Paths are relative to the root. */
export function findArrowProblem(wing: Wing, from: string, to: string): string | null {
  const other = findWing(to)
  if (other === undefined) return 'which belongs to no wing'
  if (other === wing) return findRoomProblem(wing, from, to)
  return wing.imports.includes(other.path) ? null : `but ${wing.path} may not import ${other.path}`
}

function findRoomProblem(wing: Wing, from: string, to: string): string | null {
  const [room, other] = [findRoom(wing, from), findRoom(wing, to)]
  if (room === undefined || other === undefined || room === other) return null
  // A file outside all rooms, such as the launcher, may import from every room, and no room may import it.
  if (room === WHOLE_WING) return null
  const allowed = wing.rooms.find(({ name }) => name === room)?.imports ?? []
  return allowed.includes(other) ? null : `but ${wing.path}/${room} may not import ${wing.path}/${other}`
}
