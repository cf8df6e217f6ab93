/** Follows one edit to the visitor, and measures the time at each station. */
import type { EventEmitter } from 'node:events'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { formatPrice } from '../../../src/domain/documents/price.ts'

/** Milliseconds from the start of the SQL statement to each station. */
export interface EdgeStations {
  readonly edited: number
  /** The builder has read what changed, and asks for the tag of the seller's object. */
  readonly noticed: number
  /** It has the tag, has read the seller again, and pushes her data. */
  readonly pushed: number
  /** The object is put. */
  readonly stored: number
  readonly served: number
}

export interface WatchedPage {
  /** The page that shows the price. */
  readonly address: string
  /** Emits `tags` and `push` when the call arrives, `pushed` when it is answered, and `reported` after it. */
  readonly events: EventEmitter
  readonly setPrice: (price: number) => void
}

export const PATIENCE = 30_000
const LOOK = 5

/** Settles after every station, and after the builder's report. */
export async function followSqlEdit(
  price: number,
  { address, events, setPrice }: WatchedPage,
): Promise<EdgeStations> {
  const start = performance.now()
  const passed = (): number => performance.now() - start
  const reach = async (name: string): Promise<number> => {
    await once(events, name, { signal: AbortSignal.timeout(PATIENCE) })
    return passed()
  }
  const stations = Promise.all([
    reach('tags'),
    reach('push'),
    reach('pushed'),
    waitForPage(address, formatPrice(price)).then(passed),
    reach('reported'),
  ])
  setPrice(price)
  const edited = passed()
  const [noticed, pushed, stored, served] = await stations
  return { edited, noticed, pushed, stored, served }
}

async function waitForPage(address: string, text: string): Promise<void> {
  const end = performance.now() + PATIENCE
  while (performance.now() < end) {
    if ((await (await fetch(address)).text()).includes(text)) return
    await wait(LOOK)
  }
  throw new Error(`${address} did not show ${text} in time`)
}
