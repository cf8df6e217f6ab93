/**
 * Measures sites of objects of several sizes. They run side by side and each kind of request is measured on them in turn,
 * so that the machine's other work concerns all of them.
 */
import { join } from 'node:path'
import { followChange } from './change-stream.ts'
import type { EdgeStore, RunningStore } from './edge-store.ts'
import { createEdgeStore, QUIET, STATIC_FILE } from './edge-store.ts'
import { startFirestore } from './firestore-stand-in.ts'
import type { LoadFigures, LoadSize } from './measure-load.ts'
import { measureLoad } from './measure-load.ts'
import { fillStore } from './fill-store.ts'
import { changePrice, visit, visitSeller } from './visit.ts'

export interface EdgeBenchOptions {
  readonly folder: string
  /** Of each site, ascending. */
  readonly sellers: readonly number[]
  /** Of the last site. */
  readonly load: LoadSize
  readonly progress: (text: string) => void
  /** Aborts when no more Workers should be started. */
  readonly end: AbortSignal
}

/** Times in ms. */
export interface EdgeFigures {
  readonly sellers: number
  readonly fill: number
  /** From the question for the tag to the page that shows the change. */
  readonly changes: readonly number[]
  /** From the write in Firestore to the page that shows it, without the quiet period. */
  readonly noticed: readonly number[]
  /** Pages whose object was not read within the max age. */
  readonly read: readonly number[]
  /** A page that was read a moment ago. */
  readonly cached: readonly number[]
  readonly file: readonly number[]
  /** The first pages after a switch of the code, none of them rendered with it before. */
  readonly switched: readonly number[]
}

const CHANGES = 40
const NOTICED = 20
const VIEWS = 100
const SWITCHED = 20
/** Coprime with the numbers of sellers, so that the sellers are spread and none comes twice. */
const STRIDE = 7_919
/** Higher than any generated price. */
const FIRST_PRICE = 100_000
const NEXT_PRICE = 150_000
const NAMES = { before: 'Vitrina', after: 'Vitrina con otro nombre' }

export interface MeasuredEdge {
  /** Of each site. */
  readonly sites: readonly EdgeFigures[]
  /** Of the last site. */
  readonly load: LoadFigures
}

/** `later` registers a cleanup. */
export async function measureEdge(
  { folder, sellers, load: size, progress, end }: EdgeBenchOptions,
  later: (close: () => unknown) => void,
): Promise<MeasuredEdge> {
  const firestore = await startFirestore()
  later(() => firestore.close())
  const stores: EdgeStore[] = []
  for (const count of sellers) {
    progress('Starting the Workers')
    const store = await createEdgeStore({ folder: join(folder, String(count)), firestore, end })
    later(() => store.close())
    stores.push(store)
  }
  const before = await startAll(stores, NAMES.before)
  const fill = await measureEach(before, (store, index) => fillStore(store, sellers[index] ?? 0, progress))
  const find = (turn: number): number => (turn * STRIDE) % Math.min(...sellers)
  const requests = await measureRequests(before, find, progress)
  const loaded = before.at(-1)
  if (loaded === undefined) throw new Error('there is no site')
  const load = await measureLoad(loaded, size, progress)
  progress('Starting the Workers with other code')
  const after = await startAll(stores, NAMES.after)
  const switched = await takeTurns(after, SWITCHED, (store, turn) =>
    visitSwitched(store, find(CHANGES + VIEWS + turn)),
  )
  const sites = sellers.map((count, index) => ({
    sellers: count,
    fill: fill[index] ?? Number.NaN,
    changes: requests.changes[index] ?? [],
    noticed: requests.noticed[index] ?? [],
    read: requests.read[index] ?? [],
    cached: requests.cached[index] ?? [],
    file: requests.file[index] ?? [],
    switched: switched[index] ?? [],
  }))
  return { sites, load }
}

type All = readonly RunningStore[]

async function startAll(stores: readonly EdgeStore[], siteName: string): Promise<All> {
  const running: RunningStore[] = []
  for (const store of stores) running.push(await store.start(siteName))
  return running
}

interface Requests {
  readonly changes: readonly (readonly number[])[]
  readonly noticed: readonly (readonly number[])[]
  readonly read: readonly (readonly number[])[]
  readonly cached: readonly (readonly number[])[]
  readonly file: readonly (readonly number[])[]
}

async function measureRequests(
  all: All,
  find: (turn: number) => number,
  progress: (text: string) => void,
): Promise<Requests> {
  progress('Changing sellers')
  // The first requests load and compile what is loaded once.
  for (const store of all) await changePrice(store, find(0), FIRST_PRICE - 1)
  const changes = await takeTurns(all, CHANGES, (store, turn) =>
    changePrice(store, find(turn), FIRST_PRICE + turn),
  )
  const noticed = await takeTurns(
    all,
    NOTICED,
    async (store, turn) => (await followChange(store, find(turn), NEXT_PRICE + turn)) - QUIET,
  )
  progress('Viewing pages')
  const read = await takeTurns(all, VIEWS, async (store, turn) => {
    const { ms } = await visitSeller(store, find(CHANGES + turn))
    return ms
  })
  const cached = await takeTurns(all, VIEWS, async (store) => (await visitSeller(store, find(0))).ms)
  const file = await takeTurns(all, VIEWS, async ({ origin }) => (await visit(origin + STATIC_FILE)).ms)
  return { changes, noticed, read, cached, file }
}

async function visitSwitched(store: RunningStore, number: number): Promise<number> {
  const { ms, text } = await visitSeller(store, number)
  if (!text.includes(NAMES.after)) throw new Error(`a page of ${store.origin} is of the code before`)
  return ms
}

/** Measures one store after another. */
async function measureEach(
  all: All,
  measure: (store: RunningStore, index: number) => Promise<number>,
): Promise<readonly number[]> {
  const figures: number[] = []
  for (const [index, store] of all.entries()) figures.push(await measure(store, index))
  return figures
}

/** Returns the times of each store. */
async function takeTurns(
  all: All,
  turns: number,
  measure: (store: RunningStore, turn: number) => Promise<number>,
): Promise<readonly (readonly number[])[]> {
  const times = all.map((): number[] => [])
  for (let turn = 0; turn < turns; turn += 1)
    for (const [index, store] of all.entries()) times[index]?.push(await measure(store, turn))
  return times
}
