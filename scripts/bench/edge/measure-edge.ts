/**
 * Measures sites of objects of several sizes. The sites run at the same time, and each kind of request alternates
 * between them, so that other load on the machine slows all of them equally.
 */
import { join } from 'node:path'
import { formatNumber } from '../../../src/builder/format-numbers.ts'
import { UsageError } from '../../../src/builder/state/usage-error.ts'
import { MAX_NAMES } from '../../../src/domain/wire/call.ts'
import type { PushedObject } from '../../../src/domain/wire/object-calls.ts'
import { divide, inLanes } from '../../../src/domain/work/batches.ts'
import { takeTurns } from '../../measure/times.ts'
import { followChange } from './change-stream.ts'
import type { EdgeStore, RunningStore } from './edge-store.ts'
import { createEdgeStore, SELLER_QUIET, STATIC_FILE } from './edge-store.ts'
import { startFirestore } from './firestore-stand-in.ts'
import type { LoadFigures, LoadSize } from './measure-load.ts'
import { measureLoad } from './measure-load.ts'
import { createObject } from './made-objects.ts'
import { pushPrice, visit, visitSeller } from './visit.ts'

export interface EdgeTools {
  readonly folder: string
  readonly progress: (text: string) => void
  /** Aborts when no more Workers should be started. */
  readonly end: AbortSignal
  /** Registers a cleanup that runs after the bench. */
  readonly later: (close: () => unknown) => void
}

interface EdgeSize {
  /** Number of sellers on each site, ascending. */
  readonly sellers: readonly number[]
  readonly load: LoadSize
}

/** Times in ms, by kind of request. */
export interface EdgeTimes {
  /** From the request for the seller's tag, which precedes the push, to the page that shows the pushed change. */
  readonly changes: readonly number[]
  /** From the write in Firestore to the page that shows the change, minus the quiet period. */
  readonly noticed: readonly number[]
  /** Requests for pages that are not cached, so that the Worker reads their object from the store. */
  readonly read: readonly number[]
  /** Repeated requests for one page, whose object is therefore cached. */
  readonly cached: readonly number[]
  readonly file: readonly number[]
  /**
   * First requests for pages after a change of the Worker's code. No cache has a page that was rendered with the new
   * code.
   */
  readonly switched: readonly number[]
}

export interface EdgeFigures extends EdgeTimes {
  readonly sellers: number
  /** Time to fill the empty store, in ms. */
  readonly fill: number
}

interface MeasuredEdge {
  readonly sites: readonly EdgeFigures[]
  /** Figures of the largest site, which is the last of `sites`. */
  readonly load: LoadFigures
}

/** Max concurrent calls of `push`. */
const AT_ONCE = 4
const CHANGES = 40
const NOTICED = 20
const VIEWS = 100
const SWITCHED = 20
/** Min sellers on a site, because each measured page that must not be cached belongs to a different seller. */
const LEAST_SELLERS = CHANGES + VIEWS + SWITCHED
/**
 * Step from one measured seller to the next. Coprime with the number of sellers, so that different turns measure
 * different sellers.
 */
const STRIDE = 7_919
/** Price of the first change. It is higher than any generated price, so that no earlier page shows it. */
const FIRST_PRICE = 100_000
const NEXT_PRICE = 150_000
const NAMES = { before: 'Vitrina', after: 'Vitrina con otro nombre' }

type Find = (turn: number) => number

export async function measureEdge(
  { sellers, load: size }: EdgeSize,
  { folder, progress, end, later }: EdgeTools,
): Promise<MeasuredEdge> {
  if (Math.min(...sellers) < LEAST_SELLERS)
    throw new UsageError(`Each site needs at least ${LEAST_SELLERS} sellers: give --sellers a larger number.`)
  const firestore = await startFirestore()
  later(() => firestore.close())
  const stores: EdgeStore[] = []
  for (const count of sellers) {
    progress('Starting the Workers')
    const store = createEdgeStore({ folder: join(folder, String(count)), firestore, end })
    later(() => store.close())
    stores.push(store)
  }
  const find: Find = (turn) => (turn * STRIDE) % Math.min(...sellers)
  const before = await startAll(stores, NAMES.before)
  const fill: number[] = []
  for (const [index, store] of before.entries())
    fill.push(await fillStore(store, sellers[index] ?? 0, progress))
  const requests = await measureRequests(before, find, progress)
  const loaded = before.at(-1)
  if (loaded === undefined) throw new Error('no site to measure: `sellers` is empty')
  const load = await measureLoad(loaded, size, progress)
  progress('Starting the Workers with other code')
  const switched = await takeTurns(await startAll(stores, NAMES.after), SWITCHED, (store, turn) =>
    visitSwitched(store, find(CHANGES + VIEWS + turn)),
  )
  const times = Object.entries({ ...requests, switched })
  const sites = sellers.map((count, index) => ({
    sellers: count,
    fill: fill[index] ?? Number.NaN,
    ...(Object.fromEntries(times.map(([kind, all]) => [kind, all[index] ?? []])) as unknown as EdgeTimes),
  }))
  return { sites, load }
}

type All = readonly RunningStore[]
type TimesOfAll = Readonly<Record<keyof EdgeTimes, Awaited<ReturnType<typeof takeTurns>>>>

async function startAll(stores: readonly EdgeStore[], siteName: string): Promise<All> {
  const running: RunningStore[] = []
  for (const store of stores) running.push(await store.start(siteName))
  return running
}

async function measureRequests(
  all: All,
  find: Find,
  progress: (text: string) => void,
): Promise<Omit<TimesOfAll, 'switched'>> {
  progress('Changing sellers')
  // Warms each site up, because its first request loads and compiles code.
  for (const store of all) await pushPrice(store, find(0), FIRST_PRICE - 1)
  const changes = await takeTurns(all, CHANGES, (store, turn) =>
    pushPrice(store, find(turn), FIRST_PRICE + turn),
  )
  const noticed = await takeTurns(
    all,
    NOTICED,
    async (store, turn) => (await followChange(store, find(turn), NEXT_PRICE + turn)) - SELLER_QUIET,
  )
  progress('Viewing pages')
  const view = async (store: RunningStore, number: number): Promise<number> =>
    (await visitSeller(store, number)).ms
  const read = await takeTurns(all, VIEWS, (store, turn) => view(store, find(CHANGES + turn)))
  const cached = await takeTurns(all, VIEWS, (store) => view(store, find(0)))
  const file = await takeTurns(all, VIEWS, async ({ origin }) => (await visit(origin + STATIC_FILE)).ms)
  return { changes, noticed, read, cached, file }
}

async function visitSwitched(store: RunningStore, number: number): Promise<number> {
  const { ms, text } = await visitSeller(store, number)
  if (!text.includes(NAMES.after))
    throw new Error(`${store.origin} served a page that was rendered with the previous code`)
  return ms
}

/** Fills an empty store. Returns the time in ms. Throws if an object is not stored. */
async function fillStore(
  { client }: RunningStore,
  sellers: number,
  progress: (text: string) => void,
): Promise<number> {
  const { format, intake } = (await client.readTags({ names: [] })).worker
  const start = performance.now()
  const numbers = Array.from({ length: sellers }, (_, number) => number)
  await inLanes(divide(numbers, MAX_NAMES), AT_ONCE, async (batch) => {
    progress(`Filling the store: ${formatNumber(batch[0] ?? 0)} of ${formatNumber(sellers)} sellers`)
    const objects = batch.map((number): PushedObject => ({ ...createObject(number), tag: null }))
    const { results } = await client.push({ format, intake, objects, isShrinkAllowed: false })
    // `beaten` counts as stored: when the client retries a call, the objects that the first attempt stored are
    // `beaten`.
    const unstored = results.find(({ outcome }) => outcome !== 'stored' && outcome !== 'beaten')
    if (unstored !== undefined) throw new Error(`the store rejected an object: ${JSON.stringify(unstored)}`)
  })
  return performance.now() - start
}
