/** The scenarios of faulty runs: the site before, and the run that fails. */
import { rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { Option } from 'commander'
import type { Doc, Documents } from '../site/documents.ts'
import { FIRST_TIME, formatKey } from '../site/documents.ts'
import type { PhotoMode } from '../site/proof-photos.ts'
import { OWN_PHOTOS } from '../site/proof-photos.ts'
import type { SitePlace } from '../site/place.ts'
import { lose } from '../site/place.ts'

/** The documents, code, settings and options of one run. */
export interface RunSpec {
  readonly documents: Documents
  readonly project: 'one' | 'two'
  readonly siteName: string
  readonly photos: PhotoMode
  readonly args: readonly string[]
}

export interface Scenario {
  readonly name: string
  /** Earlier runs, all successful; the last one made the old site. */
  readonly past: readonly RunSpec[]
  /** The run that is killed, or into which a fault is injected. */
  readonly next: RunSpec
  /** Damages the site before `next`. */
  readonly harm: (place: SitePlace) => void
  /** Whether the renderer of `next` is already compiled. */
  readonly isCompiled: boolean
  /**
   * Whether faults are also injected into reads of the databases. This is `true` for only a few scenarios, because the
   * others make similar reads.
   */
  readonly doReadsFail: boolean
  /** Whether the scenario has too many operations to inject a fault into each. */
  readonly isLarge: boolean
}

const [A, B, C] = OWN_PHOTOS
/** A photo that is not fetched, because PHOTO_HOSTS does not name its host. */
const REMOTE = 'https://photos.example/a.jpg'

const OLD = createScenarioDocuments([
  ['p1', '1', 1300, A],
  ['p2', 'ana', 700, REMOTE],
  ['moved', 'ana', 50, B],
  ['p4', 'gone', 5, A],
])
const NEW = createScenarioDocuments([
  ['p1', '1', 1400, C],
  ['p2', 'ana', 700, REMOTE],
  ['moved', '1', 50, B],
  ['p5', 'new', 6, C],
])
/** Enough sellers that a run renders their pages in more than one batch. */
const MORE = Array.from({ length: 18 }, (_, index) => `n${index}`)
const MANY = Array.from({ length: 230 }, (_, index) => `m${index}`)

export function createScenarioDocuments(
  products: readonly [id: string, owner: string, price: number, photo?: string][],
  more: readonly string[] = [],
): Documents {
  const sellers = [...new Set(['stays', ...products.map(([, owner]) => owner), ...more])]
  const create = (collection: Doc['collection'], id: string, data: unknown): Doc => {
    return { collection, id, updateTime: FIRST_TIME, text: JSON.stringify(data) }
  }
  const docs = [
    ...sellers.map((id) =>
      create('users', id, { fName: `Name of ${id}`, lName: '', whatsapp: '809-555-0100' }),
    ),
    ...products.map(([id, owner, price, photo]) => {
      const name = `Product ${id}`
      return create('cataloge', id, { id, name, photo, price, available: true, owner: { id: owner } })
    }),
  ]
  return new Map(docs.map((doc) => [formatKey(doc), doc]))
}

// Creates documents with prices and times of this `day`. Between two days, all sellers with products change, and so do
// their buckets of the sitemap.
function createListed(day: number): Documents {
  const documents = createScenarioDocuments(MORE.map((seller) => [`p-${seller}`, seller, day]))
  const updateTime = FIRST_TIME.replace('-01T', `-0${day}T`)
  return new Map([...documents].map(([key, doc]) => [key, { ...doc, updateTime }]))
}

export const createSpec = (documents: Documents, more: Partial<RunSpec> = {}): RunSpec => ({
  documents,
  project: 'one',
  siteName: 'Vitrina',
  photos: 'off',
  args: [],
  ...more,
})

const scenario = (
  name: string,
  past: readonly RunSpec[],
  next: RunSpec,
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

// All sellers that differ between `OLD` and `NEW`: one is removed, one is new, and a product moves between two others.
const PARTIAL = ['--seller', 'ana', '--seller', 'gone', '--seller', 'new', '--seller', '1']

export const SCENARIOS: readonly Scenario[] = [
  scenario('data', [createSpec(OLD)], createSpec(NEW), { doReadsFail: true }),
  scenario('named sellers', [createSpec(OLD)], createSpec(NEW, { args: PARTIAL }), { doReadsFail: true }),
  scenario('many sellers', [createSpec(createListed(1))], createSpec(createListed(2))),
  scenario('code', [createSpec(OLD)], createSpec(NEW, { project: 'two' })),
  scenario('compile', [createSpec(OLD)], createSpec(NEW, { project: 'two' }), { isCompiled: false }),
  scenario(
    'retained files',
    [
      createSpec(OLD, { project: 'two' }),
      ...['A', 'B', 'C'].map((siteName) => createSpec(OLD, { siteName })),
    ],
    createSpec(NEW, { siteName: 'D' }),
  ),
  scenario('first run', [createSpec(OLD)], createSpec(NEW), {
    harm: (place) => {
      lose(place, 'dist')
      lose(place, 'snapshot')
      lose(place, 'record')
    },
  }),
  scenario('verify', [createSpec(OLD, { args: ['--verify'] })], createSpec(NEW, { args: ['--verify'] }), {
    harm: ({ output }) => {
      truncateSync(join(output, 'catalogo/ana.html'), 100)
      rmSync(join(output, 'catalogo/stays.html'))
    },
  }),
  scenario(
    'many pages',
    [createSpec(createScenarioDocuments([['p1', '1', 1, A]], MANY))],
    createSpec(createScenarioDocuments([['p1', '1', 2, A]], MANY), { siteName: 'Escaparate' }),
    { isLarge: true },
  ),
  scenario('pictures', [createSpec(OLD, { photos: 'files' })], createSpec(NEW, { photos: 'files' })),
  scenario('pictures lost', [createSpec(OLD, { photos: 'files' })], createSpec(NEW, { photos: 'files' }), {
    harm: (place) => lose(place, 'pictures'),
  }),
  scenario(
    'pictures by the edge',
    [createSpec(OLD, { photos: 'files' })],
    createSpec(NEW, { photos: 'service' }),
  ),
]

export interface ScenarioOptions {
  /** Name of the only scenario to run. */
  readonly only?: string
  /** Whether every scenario makes pictures. */
  readonly photos?: boolean
}

/** Scenarios that are small enough to inject a fault into each operation. */
export const FAULT_SCENARIOS = SCENARIOS.filter(({ isLarge }) => !isLarge)

export function addScenarioOptions(parser: Command, scenarios: readonly Scenario[]): Command {
  const names = scenarios.map(({ name }) => name)
  return parser
    .addOption(new Option('--only <scenario>', 'run this scenario only').choices(names))
    .option('--photos', 'make pictures in every scenario, which takes longer')
}

export function chooseScenarios(
  { only, photos = false }: ScenarioOptions,
  scenarios: readonly Scenario[],
): readonly Scenario[] {
  const chosen = scenarios.filter(({ name }) => only === undefined || name === only)
  return photos ? chosen.map(addPhotos) : chosen
}

function addPhotos(one: Scenario): Scenario {
  const add = (spec: RunSpec): RunSpec => (spec.photos === 'off' ? { ...spec, photos: 'files' } : spec)
  return { ...one, past: one.past.map(add), next: add(one.next) }
}
