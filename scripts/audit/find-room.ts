/** Finds the wing and the room of a file, and decides whether one file may import another. Reads `rooms.ts` only. */
import type { Wing } from './wing.ts'
import { WINGS } from './rooms.ts'

/** The room of a file that is in none. */
const WHOLE_WING = '.'

/** `file` is a path from the project's root. */
export function findWing(file: string): Wing | undefined {
  return WINGS.find(({ path }) => file === path || file.startsWith(`${path}/`))
}

/** `.` for a wing without rooms, and for declarations and scripts at the top of a wing. */
export function findRoom({ path, rooms }: Wing, file: string): string | undefined {
  if (rooms === null) return WHOLE_WING
  const [name = '', ...rest] = file.slice(path.length + 1).split('/')
  const room = rooms.find((one) => one.name === name)?.name
  return room ?? (rest.length === 0 && /\.(d\.ts|mjs)$/.test(name) ? WHOLE_WING : undefined)
}

/** Why a file of `wing` may not import `to`; `null` if it may. Both are paths from the project's root. */
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
  const allowed = wing.rooms?.find(({ name }) => name === room)?.imports ?? []
  return allowed.includes(other) ? null : `but ${wing.path}/${room} may not import ${wing.path}/${other}`
}
