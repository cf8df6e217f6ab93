/** Measures, under load, a site whose Worker renders changes itself. Times in ms. */
import { setTimeout as wait } from 'node:timers/promises'
import { formatNumber } from '../../../src/builder/format-numbers.ts'
import { formatPrice } from '../../../src/domain/documents/price.ts'
import { digestText } from '../../../src/domain/objects/digest.ts'
import type { SellerData } from '../../../src/domain/objects/object-data.ts'
import { formatObjectData } from '../../../src/domain/objects/object-data.ts'
import { formatCataloguePath } from '../../../src/domain/pages/paths.ts'
import { MAX_NAMES } from '../../../src/domain/wire/call.ts'
import { divide, inLanes } from '../../../src/domain/work/batches.ts'
import { formatMeasured } from '../../measure/format-figures.ts'
import { findMedian, findPercentile } from '../../measure/times.ts'
import type { Verdict } from '../verdict.ts'
import { judge } from '../verdict.ts'
import { AGAIN } from './again-worker.ts'
import { ChangeStream } from './change-stream.ts'
import type { RunningStore } from './edge-store.ts'
import { createObject } from './made-objects.ts'
import { visit, waitForPrice } from './visit.ts'

export interface LoadSize {
  readonly sellers: number
  /** How long changes are sent at each rate during the search for the saturation. */
  readonly step: number
  /** Duration of the load at half the saturation. */
  readonly half: number
  readonly steady: number
}

export interface LoadFigures {
  /** Highest number of changes that the Worker read per second, among all rates. */
  readonly saturation: number
  /** Changes a second while `served` was measured: half the saturation. */
  readonly half: number
  /** Times from an accepted notice to the page that shows its change. */
  readonly served: readonly number[]
  readonly steady: SteadyFigures
  /**
   * `pages`: number of catalogue pages of the sellers in the redelivered batch. `changed`: how many of these pages
   * differ after the redelivery.
   */
  readonly doubled: { readonly pages: number; readonly changed: number }
}

interface SteadyFigures {
  /** Changes a second. */
  readonly rate: number
  readonly changes: number
  readonly sellers: number
  /** Number of changed sellers whose object or page does not show their newest price. */
  readonly wrong: number
}

const FIRST_RATE = 20
const GROWTH = 1.5
const MAX_RATE = 1_000
const STEADY_RATE = 50
/** Approximate number of changes per second whose page is requested until it shows the change. */
const SAMPLES = 8
const LOOK = 100
const PATIENCE = 120_000
/** Max concurrent requests for pages while the changed sellers are checked. */
const LANES = 6

/** Max 95th percentile of `served`, in ms. Source: docs/proofs.md, Bench. */
const SERVED_BUDGET = 3_000

export function judgeLoad({ saturation, half, served, steady, doubled }: LoadFigures): Verdict {
  const slow = findPercentile(served, 0.95)
  return judge(
    'The Worker of the larger site renders changes that it reads from a stand-in for Firestore:',
    {
      words: `saturation: ${saturation.toFixed(0)} changes a second; at ${half.toFixed(0)} a second, the time from an accepted notice to the page with its change: median ${formatMeasured(findMedian(served))}, p95 ${formatMeasured(slow)} (at most ${formatMeasured(SERVED_BUDGET)})`,
      isKept: slow <= SERVED_BUDGET,
    },
    {
      words: `${steady.rate} changes a second: ${formatNumber(steady.changes)} changes; afterwards ${formatNumber(steady.wrong)} of ${formatNumber(steady.sellers)} changed sellers were lost or wrong`,
      isKept: steady.wrong === 0,
    },
    {
      words: `a second delivery of the last messages changed ${doubled.changed} of ${doubled.pages} pages`,
      isKept: doubled.changed === 0,
    },
  )
}

export async function measureLoad(
  store: RunningStore,
  size: LoadSize,
  progress: (text: string) => void,
): Promise<LoadFigures> {
  const stream = new ChangeStream(store, size.sellers)
  const saturation = await findSaturation(store, stream, { step: size.step, progress })
  const half = saturation / 2
  progress(`Changing ${Math.round(half)} sellers a second`)
  const served = await measureServed(store, stream, { rate: half, ms: size.half })
  await rest(store)
  progress(`Changing ${STEADY_RATE} sellers a second`)
  const changes = await stream.run({ rate: STEADY_RATE, ms: size.steady })
  await rest(store)
  progress(`Checking the objects and pages of ${formatNumber(stream.prices.size)} changed sellers`)
  const wrong = await countWrong(store, stream.prices)
  return {
    saturation,
    half,
    served,
    steady: { rate: STEADY_RATE, changes, sellers: stream.prices.size, wrong },
    doubled: await deliverAgain(store, stream),
  }
}

/**
 * Raises the rate of changes until the site falls behind, up to `MAX_RATE`. Returns the highest number of changes that
 * the Worker read per second.
 */
async function findSaturation(
  store: RunningStore,
  stream: ChangeStream,
  { step, progress }: { readonly step: number; readonly progress: (text: string) => void },
): Promise<number> {
  let best = 0
  for (let rate = FIRST_RATE; rate <= MAX_RATE; rate *= GROWTH) {
    progress(`Changing ${Math.round(rate)} sellers a second`)
    const before = store.firestore.countReads()
    const start = performance.now()
    await stream.run({ rate, ms: step })
    const reads = store.firestore.countReads() - before
    best = Math.max(best, (reads * 1_000) / (performance.now() - start))
    if ((await countWaiting(store)) > rate) break
  }
  await rest(store)
  return best
}

async function measureServed(
  store: RunningStore,
  stream: ChangeStream,
  { rate, ms }: { readonly rate: number; readonly ms: number },
): Promise<readonly number[]> {
  const every = Math.max(1, Math.round(rate / SAMPLES))
  const followed: Promise<number>[] = []
  let count = 0
  await stream.run({
    rate,
    ms,
    onAccepted: (change) => {
      count += 1
      if (count % every > 0) return
      followed.push(waitForPrice(store, change, LOOK).then(() => performance.now() - change.accepted))
    },
  })
  return Promise.all(followed)
}

async function countWaiting({ coordinator }: RunningStore): Promise<number> {
  return (await coordinator.status()).pending
}

/** Resolves when no change is pending. Throws after two minutes. */
async function rest(store: RunningStore): Promise<void> {
  const end = performance.now() + PATIENCE
  while ((await countWaiting(store)) > 0) {
    if (performance.now() > end) throw new Error('changes are still pending after two minutes')
    await wait(LOOK)
  }
}

async function countWrong(store: RunningStore, prices: ReadonlyMap<number, number>): Promise<number> {
  const sellers = [...prices].map(([seller, price]) => ({ ...createObject(seller, price), price }))
  const wrong = new Set<string>()
  for (const part of divide(sellers, MAX_NAMES)) {
    const { objects } = await store.client.readTags({ names: part.map(({ name }) => name) })
    for (const [index, { name, data }] of part.entries())
      if (objects[index]?.digest !== (await digestData(data))) wrong.add(name)
  }
  await inLanes(sellers, LANES, async ({ name, price }) => {
    const { text } = await visit(`${store.origin}${formatCataloguePath(name)}`)
    if (!text.includes(formatPrice(price))) wrong.add(name)
  })
  return wrong.size
}

/** Returns the digest of the data as the Worker reads it from Firestore, whose timestamps have nanoseconds. */
function digestData(data: SellerData): Promise<string> {
  return digestText(formatObjectData({ ...data, updated: data.updated.replace('Z', '000000Z') }))
}

/**
 * Redelivers the last batch of messages, and compares the catalogue pages of its sellers before and after the
 * redelivery.
 */
async function deliverAgain(store: RunningStore, stream: ChangeStream): Promise<LoadFigures['doubled']> {
  await waitForPrice(store, await stream.change(), LOOK)
  await rest(store)
  const address = `${store.origin}${AGAIN}`
  const names = (await (await fetch(address)).json()) as readonly string[]
  if (names.length === 0)
    throw new Error('the Worker has received no batch of changes, so there is nothing to redeliver')
  const read = (): Promise<readonly string[]> =>
    Promise.all(names.map((name) => readPage(`${store.origin}${formatCataloguePath(name)}`)))
  const before = await read()
  await fetch(address, { method: 'POST' })
  const after = await read()
  return { pages: names.length, changed: after.filter((page, index) => page !== before[index]).length }
}

/** Returns the parts of a response that a redelivery must not change: status, some headers, and text. */
async function readPage(address: string): Promise<string> {
  const response = await fetch(address)
  const kept = ['etag', 'content-security-policy', 'content-type', 'cache-control']
  const headers = kept.map((name) => response.headers.get(name))
  return JSON.stringify([response.status, headers, await response.text()])
}
