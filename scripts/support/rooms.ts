/** Which room may import which: the arrows of the architecture, as data. */

export interface Room {
  /** A folder or a file, from the project's root. */
  readonly path: string
  /** Rooms it may import besides itself. */
  readonly imports: readonly string[]
  /** Rooms of which it may know the types, but call nothing. */
  readonly types?: readonly string[]
  /** Whether it may use Node's own modules. */
  readonly node?: boolean
}

const DOMAIN = 'src/domain'
const MESSAGES = 'src/messages.ts'
const SQLITE = 'src/sqlite'
const SCREENS = ['src/components', 'src/layouts', 'src/pages', 'src/styles']

/** A file belongs to the first room whose path holds it. */
export const ROOMS: readonly Room[] = [
  { path: DOMAIN, imports: [] },
  { path: MESSAGES, imports: [], types: [DOMAIN] },
  { path: SQLITE, imports: [], node: true },
  { path: 'src/sources', imports: [DOMAIN], node: true },
  { path: 'src/snapshot', imports: [DOMAIN, SQLITE], types: ['src/sources'], node: true },
  {
    path: 'src/rebuild',
    imports: [DOMAIN, SQLITE],
    types: ['src/snapshot', 'src/sources', 'src/photos'],
    node: true,
  },
  { path: 'src/photos', imports: [DOMAIN, SQLITE, MESSAGES], node: true },
  { path: 'src/renderer', imports: [DOMAIN], node: true },
  { path: 'src/webhook', imports: [DOMAIN] },
  {
    path: 'src/publishing',
    imports: [DOMAIN, SQLITE, 'src/rebuild'],
    types: ['src/snapshot', 'src/webhook'],
    node: true,
  },
  { path: 'src/stores', imports: [DOMAIN, MESSAGES] },
  { path: 'src/islands', imports: ['src/stores', DOMAIN, MESSAGES] },
  ...SCREENS.map((path) => ({ path, imports: [...SCREENS, 'src/islands', DOMAIN, MESSAGES] })),
  { path: 'src', imports: [], types: [DOMAIN] },
  // Deployed alone, by another tool, to Node.
  { path: 'functions/firestore-trigger', imports: [], node: true },
  { path: 'functions', imports: ['src/webhook'] },
]
