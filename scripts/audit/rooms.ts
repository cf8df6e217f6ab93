/** The wings and rooms of the project, with their permitted imports. Checks read this table; the docs repeat it. */
import { DOMAIN_ROOMS } from './domain-rooms.ts'
import type { Wing } from './wing.ts'

const DOMAIN = 'src/domain'
const SITE = 'src/site'
const BUILDER = 'src/builder'
const EDGE = 'src/edge'
const FUNCTIONS = 'functions'
const TRIGGER = 'functions/firestore-trigger'
const SCRIPTS = 'scripts'
const ROOT_FILES = 'astro.config.mjs'

/** Max rooms of one wing that other wings may import. */
export const MAX_ENTERED_ROOMS = 9

/** A file belongs to the first wing whose path contains it. */
export const WINGS: readonly Wing[] = [
  {
    path: DOMAIN,
    runsIn: 'anywhere',
    holds: 'pure code from documents to the data of pages, and the formats of calls',
    imports: [],
    node: false,
    worker: true,
    rooms: DOMAIN_ROOMS,
  },
  {
    path: SITE,
    runsIn: 'renderer, browser',
    holds: 'Astro’s source folder: static components and a few islands',
    imports: [DOMAIN],
    node: false,
    rooms: [
      { name: 'styles', holds: 'colours, sizes, the base style', imports: [] },
      { name: 'stores', holds: 'choices of the visitor', imports: [] },
      { name: 'islands', holds: 'components that react in the browser', imports: ['stores'] },
      { name: 'components', holds: 'static components of pages', imports: ['islands', 'styles'] },
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
      { name: 'format-numbers.ts', holds: 'formats of counts and times', imports: [] },
      { name: 'sources', holds: 'Firestore, the embedded database, folders', imports: [] },
      {
        name: 'state',
        holds: 'SQLite files, locks, snapshot, record, output folder',
        imports: ['sources'],
      },
      {
        name: 'renderer',
        holds: 'the Astro adapter, compiling, inputs of pages',
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
        imports: ['format-numbers.ts', 'rebuild', 'renderer', 'sources', 'state'],
      },
      {
        name: 'commands',
        holds: 'one file per command, options, exit codes, messages',
        imports: ['format-numbers.ts', 'pictures', 'publish', 'rebuild', 'renderer', 'sources', 'state'],
      },
    ],
  },
  {
    path: EDGE,
    runsIn: 'Worker',
    holds: 'the API, the coordinator, pages from objects, and the search',
    imports: [DOMAIN],
    node: false,
    worker: true,
    rooms: [
      { name: 'coordinator', holds: 'state transitions (pure), ledger, dispatch', imports: [] },
      { name: 'search', holds: 'shards of the search index, and the answers to visitors', imports: [] },
      {
        name: 'pages',
        holds: 'objects: their format, the store, serving, pushing',
        imports: ['coordinator'],
      },
      {
        name: 'intake',
        holds: 'changed sellers: read from Firestore, put as objects',
        imports: ['coordinator', 'pages'],
      },
      { name: 'api', holds: 'routes, verification of calls', imports: ['coordinator', 'pages', 'search'] },
    ],
  },
  {
    path: TRIGGER,
    runsIn: 'Cloud Functions',
    holds: 'reports the sellers of a written document to the site; deployed alone',
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
    imports: [DOMAIN, BUILDER, EDGE, TRIGGER, FUNCTIONS],
    node: true,
    rooms: [
      {
        name: 'measure',
        holds:
          'running commands, tools installed on demand, figures and their formats, seeded random numbers',
        imports: [],
      },
      { name: 'emulator', holds: 'Firestore without Google', imports: [] },
      { name: 'fakes', holds: 'Cloudflare and GitHub on local ports', imports: [] },
      { name: 'audit', holds: 'imports, built pages, Lighthouse, screenshots', imports: ['measure'] },
      { name: 'prove', holds: 'the proofs', imports: ['measure'] },
      {
        name: 'bench',
        holds: 'times and memory beside Astro and Eleventy',
        imports: ['emulator', 'measure'],
      },
      {
        name: 'demo',
        holds: 'the whole loop on one machine; pictures of the sample',
        imports: ['emulator', 'measure'],
      },
      {
        name: 'rehearse',
        holds: 'the documented path from an empty account to a live site, and on',
        imports: ['demo', 'emulator', 'fakes', 'measure'],
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
