/** What a run that is struck goes from and to. */
import { rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import type { Doc, Documents } from './documents.ts'
import { FIRST_TIME, formatKey } from './documents.ts'
import type { PhotoMode } from './proof-photos.ts'
import { OWN_PHOTOS } from './proof-photos.ts'
import type { Place } from './place.ts'
import { lose } from './place.ts'

/** All that decides what the site is, and how the command is called. */
export interface ScenarioRun {
  readonly documents: Documents
  readonly project: 'one' | 'two'
  readonly siteName: string
  readonly args: readonly string[]
}

export interface Scenario {
  readonly name: string
  /** Runs that went well before, the last one being the old site. */
  readonly past: readonly ScenarioRun[]
  /** The run that is struck. */
  readonly next: ScenarioRun
  /** What happens to the place before it. */
  readonly harm: (place: Place) => void
  /** The renderer of the run that is struck is not there yet. */
  readonly isCompiled: boolean
  /** Reads of the databases fail as well; elsewhere they are much the same. */
  readonly doReadsFail: boolean
  /** Too many pages to strike at each step of it. */
  readonly isLarge: boolean
}

const [A, B, C] = OWN_PHOTOS
/** Of a host that PHOTO_HOSTS does not name: nothing is fetched. */
const REMOTE = 'https://photos.example/a.jpg'

const OLD = createDocuments([
  ['p1', '1', 1300, A],
  ['p2', 'ana', 700, REMOTE],
  ['moved', 'ana', 50, B],
  ['p4', 'gone', 5, A],
])
const NEW = createDocuments([
  ['p1', '1', 1400, C],
  ['p2', 'ana', 700, REMOTE],
  ['moved', '1', 50, B],
  ['p5', 'new', 6, C],
])
/** More than are rendered together. */
const MORE = Array.from({ length: 18 }, (_, index) => `n${index}`)
const MANY = Array.from({ length: 230 }, (_, index) => `m${index}`)

function createDocuments(
  products: readonly [id: string, owner: string, price: number, photo?: string][],
  more: readonly string[] = [],
): Documents {
  const sellers = [...new Set(['stays', ...products.map(([, owner]) => owner), ...more])]
  const create = (collection: Doc['collection'], id: string, data: unknown): Doc => {
    return { collection, id, updateTime: FIRST_TIME, text: JSON.stringify(data) }
  }
  const docs = [
    ...sellers.map((id) => create('users', id, { fName: `Name of ${id}`, lName: '' })),
    ...products.map(([id, owner, price, photo]) => {
      const name = `Product ${id}`
      return create('cataloge', id, { id, name, photo, price, available: true, owner: { id: owner } })
    }),
  ]
  return new Map(docs.map((doc) => [formatKey(doc), doc]))
}

// All of them change, and so do the files of the sitemap, which tell their times.
function createListed(day: number): Documents {
  const documents = createDocuments(MORE.map((seller) => [`p-${seller}`, seller, day]))
  const updateTime = FIRST_TIME.replace('-01T', `-0${day}T`)
  return new Map([...documents].map(([key, doc]) => [key, { ...doc, updateTime }]))
}

const make = (documents: Documents, more: Partial<ScenarioRun> = {}): ScenarioRun => ({
  documents,
  project: 'one',
  siteName: 'Vitrina',
  args: [],
  ...more,
})

const scenario = (
  name: string,
  past: readonly ScenarioRun[],
  next: ScenarioRun,
  more: Partial<Scenario> = {},
): Scenario => ({
  name,
  past,
  next,
  harm: () => {},
  isCompiled: true,
  doReadsFail: false,
  isLarge: false,
  ...more,
})

// A seller less, and a product that moves between two others.
const PARTIAL = ['--seller', 'ana', '--seller', 'gone', '--seller', 'new', '--seller', '1']

export const SCENARIOS: readonly Scenario[] = [
  scenario('data', [make(OLD)], make(NEW), { doReadsFail: true }),
  scenario('named sellers', [make(OLD)], make(NEW, { args: PARTIAL }), { doReadsFail: true }),
  scenario('many sellers', [make(createListed(1))], make(createListed(2))),
  scenario('code', [make(OLD)], make(NEW, { project: 'two' })),
  scenario('compile', [make(OLD)], make(NEW, { project: 'two' }), { isCompiled: false }),
  scenario(
    'retained files',
    [make(OLD, { project: 'two' }), ...['A', 'B', 'C'].map((siteName) => make(OLD, { siteName }))],
    make(NEW, { siteName: 'D' }),
  ),
  scenario('first run', [make(OLD)], make(NEW), {
    harm: (place) => {
      lose(place, 'dist')
      lose(place, 'snapshot')
      lose(place, 'record')
    },
  }),
  scenario('verify', [make(OLD, { args: ['--verify'] })], make(NEW, { args: ['--verify'] }), {
    harm: ({ output }) => {
      truncateSync(join(output, 'catalogo/ana.html'), 100)
      rmSync(join(output, 'catalogo/stays.html'))
    },
  }),
  scenario(
    'many pages',
    [make(createDocuments([['p1', '1', 1, A]], MANY))],
    make(createDocuments([['p1', '1', 2, A]], MANY), { siteName: 'Escaparate' }),
    { isLarge: true },
  ),
]

/** Only with photos is there a store to be lost. */
export const PHOTO_SCENARIOS: readonly Scenario[] = [
  scenario('pictures lost', [make(OLD)], make(NEW), { harm: (place) => lose(place, 'pictures') }),
]

/** All unless one is named. */
export function chooseScenarios(name: string | undefined, photos: PhotoMode): readonly Scenario[] {
  const all = photos === 'off' ? SCENARIOS : [...SCENARIOS, ...PHOTO_SCENARIOS]
  return all.filter((one) => name === undefined || one.name === name)
}
