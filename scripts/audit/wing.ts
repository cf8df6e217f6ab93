/** The parts that the project is divided into: wings, and the rooms in them. */

interface Room {
  /** A folder or a file of its wing. */
  readonly name: string
  readonly holds: string
  /** Other rooms of the wing that it may import. */
  readonly imports: readonly string[]
}

export interface Wing {
  /** A folder or a file, relative to the project's root. */
  readonly path: string
  readonly runsIn: string
  readonly holds: string
  /** Other wings that it may import. */
  readonly imports: readonly string[]
  /** Whether it may import Node's own modules. */
  readonly node: boolean
  /** Whether its files are bundled into the Worker. */
  readonly worker?: boolean
  /** `null`: its files may import each other freely. */
  readonly rooms: readonly Room[] | null
}
