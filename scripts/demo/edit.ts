/** Follows one edit to the visitor, and measures the time at each station. */
import type { EventEmitter } from 'node:events'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { formatPrice } from '../../src/domain/documents/price.ts'

/** Milliseconds from the start of the write to each station. */
export interface Stations {
  readonly written: number
  readonly noticed: number
  readonly dispatched: number
  readonly rendered: number
  readonly served: number
  /**
   * A conditional request with the old page's ETag gets the new page, after the local runtime has listed its files
   * again.
   */
  readonly renewed: number
}

export interface Watched {
  /** The page that shows the price. */
  readonly address: string
  /** Emits `noticed`, `dispatched`, `rendered` and `reported`. */
  readonly events: EventEmitter
  readonly setPrice: (price: number) => Promise<void>
}

export const PATIENCE = 30_000
const LOOK = 5

/** Settles after every station, and after the builder's report to the coordinator. */
export async function followEdit(price: number, { address, events, setPrice }: Watched): Promise<Stations> {
  const text = formatPrice(price)
  const { headers } = await fetch(address)
  const known = { 'if-none-match': headers.get('etag') ?? '' }
  const start = performance.now()
  const passed = (): number => performance.now() - start
  const reach = async (name: string): Promise<number> => {
    await once(events, name, { signal: AbortSignal.timeout(PATIENCE) })
    return passed()
  }
  const [written, noticed, dispatched, rendered, , served, renewed] = await Promise.all([
    setPrice(price).then(passed),
    reach('noticed'),
    reach('dispatched'),
    reach('rendered'),
    reach('reported'),
    waitForPage(address, text, {}).then(passed),
    waitForPage(address, text, known).then(passed),
  ])
  return { written, noticed, dispatched, rendered, served, renewed }
}

async function waitForPage(address: string, text: string, headers: Record<string, string>): Promise<void> {
  const end = performance.now() + PATIENCE
  while (performance.now() < end) {
    const response = await fetch(address, { headers })
    if ((await response.text()).includes(text)) return
    await wait(LOOK)
  }
  throw new Error(`${address} did not show ${text} in time`)
}
