/** The wings and rooms of the project: where each runs and what it may import. One table for checks and docs. */

export interface Room {
  /** Within its wing: a folder, or a file. */
  readonly name: string
  readonly holds: string
  /** Rooms of the same wing that it may import, besides itself. */
  readonly imports: readonly string[]
}

export interface Wing {
  /** A folder or a file, from the project's root. */
  readonly path: string
  readonly runsIn: string
  readonly holds: string
  /** Wings it may import, besides itself. */
  readonly imports: readonly string[]
  /** Whether it may use Node's own modules. */
  readonly node: boolean
  /** Whether its files go into the Worker. */
  readonly worker?: boolean
  /** `null` where any file may import any other. */
  readonly rooms: readonly Room[] | null
}

const DOMAIN = 'src/domain'
const SITE = 'src/site'
const BUILDER = 'src/builder'
const EDGE = 'src/edge'
const FUNCTIONS = 'functions'
const TRIGGER = 'functions/firestore-trigger'
const SCRIPTS = 'scripts'
const ROOT_FILES = 'astro.config.mjs'

/** The most rooms of one wing that other wings may enter. */
export const MAX_ENTERED_ROOMS = 8

/** A file belongs to the first wing whose path holds it. */
export const WINGS: readonly Wing[] = [
  {
    path: DOMAIN,
    runsIn: 'anywhere',
    holds: 'everything between a document and a page’s data, and what goes over the wire: pure',
    imports: [],
    node: false,
    worker: true,
    rooms: [
      { name: 'documents', holds: 'parsing documents; products, profiles, prices, ids, text', imports: [] },
      {
        name: 'catalogue',
        holds: 'one seller’s catalogue: order, summary, the visitor’s view',
        imports: ['documents'],
      },
      {
        name: 'photos',
        holds: 'photo addresses and hosts, sizes, lost photos',
        imports: ['catalogue', 'documents'],
      },
      { name: 'messages.ts', holds: 'every Spanish sentence of the interface', imports: ['catalogue'] },
      {
        name: 'pages',
        holds: 'the data of each page, paths, sitemap, structured data',
        imports: ['catalogue', 'documents', 'photos'],
      },
      {
        name: 'wire',
        holds: 'bodies, signatures and status of the calls to a coordinator',
        imports: ['documents'],
      },
    ],
  },
  {
    path: SITE,
    runsIn: 'renderer, browser',
    holds: 'Astro’s source folder: static pieces, and the few that react',
    imports: [DOMAIN],
    node: false,
    rooms: [
      { name: 'styles', holds: 'colours, sizes, the base style', imports: [] },
      { name: 'stores', holds: 'what the visitor chose', imports: [] },
      { name: 'islands', holds: 'what reacts in the browser', imports: ['stores'] },
      { name: 'components', holds: 'static pieces of pages', imports: ['islands', 'styles'] },
      {
        name: 'layouts',
        holds: 'the frame of every page',
        imports: ['components', 'islands', 'styles'],
      },
      {
        name: 'pages',
        holds: 'the routes; they read `Astro.locals` only',
        imports: ['components', 'islands', 'layouts'],
      },
    ],
  },
  {
    path: BUILDER,
    runsIn: 'Node',
    holds: 'reads sources, renders what changed, publishes it',
    imports: [DOMAIN],
    node: true,
    rooms: [
      { name: 'format-numbers.ts', holds: 'counts and times in words', imports: [] },
      { name: 'sources', holds: 'Firestore, the embedded database, folders', imports: [] },
      {
        name: 'state',
        holds: 'SQLite files, locks, snapshot, record, output folder',
        imports: ['sources'],
      },
      {
        name: 'renderer',
        holds: 'the Astro adapter, compiling, what a page is made from',
        imports: ['state'],
      },
      {
        name: 'pictures',
        holds: 'small photos and social pictures, their store and queue',
        imports: ['state'],
      },
      {
        name: 'rebuild',
        holds: 'plan, render, write, settle',
        imports: ['format-numbers.ts', 'pictures', 'renderer', 'sources', 'state'],
      },
      {
        name: 'publish',
        holds: 'verifying and publishing, Cloudflare’s tool, the coordinator’s client',
        imports: ['format-numbers.ts', 'rebuild', 'sources', 'state'],
      },
      {
        name: 'commands',
        holds: 'one file a command, options, exit codes, words',
        imports: ['format-numbers.ts', 'pictures', 'publish', 'rebuild', 'renderer', 'sources', 'state'],
      },
    ],
  },
  {
    path: EDGE,
    runsIn: 'Worker',
    holds: 'the API and the coordinator',
    imports: [DOMAIN],
    node: false,
    worker: true,
    rooms: [
      { name: 'coordinator', holds: 'state transitions (pure), ledger, dispatch', imports: [] },
      { name: 'api', holds: 'routes, verification of calls', imports: ['coordinator'] },
    ],
  },
  {
    path: TRIGGER,
    runsIn: 'Cloud Functions',
    holds: 'tells the site which sellers a written document touches; deployed alone',
    imports: [],
    node: true,
    rooms: null,
  },
  {
    path: FUNCTIONS,
    runsIn: 'Worker',
    holds: 'the Worker’s entry',
    imports: [EDGE],
    node: false,
    worker: true,
    rooms: null,
  },
  {
    path: SCRIPTS,
    runsIn: 'Node',
    holds: 'the launcher with the table of all commands, and the workshop',
    imports: [DOMAIN, BUILDER, EDGE, TRIGGER],
    node: true,
    rooms: [
      {
        name: 'measure',
        holds: 'running commands, tools installed on demand, figures and their formats, repeatable chance',
        imports: [],
      },
      { name: 'emulator', holds: 'Firestore without Google', imports: [] },
      { name: 'audit', holds: 'imports, built pages, Lighthouse, screenshots', imports: ['measure'] },
      { name: 'prove', holds: 'the proofs', imports: ['measure'] },
      {
        name: 'bench',
        holds: 'times and memory beside Astro and Eleventy',
        imports: ['emulator', 'measure'],
      },
      {
        name: 'demo',
        holds: 'the whole loop on one machine; the sample’s artwork',
        imports: ['emulator', 'measure'],
      },
    ],
  },
  {
    path: 'tests',
    runsIn: 'Node',
    holds: 'mirrors the tree above',
    imports: [DOMAIN, SITE, BUILDER, EDGE, TRIGGER, FUNCTIONS, SCRIPTS],
    node: true,
    rooms: null,
  },
  {
    path: ROOT_FILES,
    runsIn: 'Node',
    holds: 'Astro’s configuration',
    imports: [BUILDER],
    node: true,
    rooms: null,
  },
]
