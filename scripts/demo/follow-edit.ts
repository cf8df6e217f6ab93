/** Follows one edit to the visitor, and measures when it reaches each station, such as the Worker. */
import type { EventEmitter } from 'node:events'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { formatPrice } from '../../src/domain/documents/price.ts'

/**
 * A station on the way of an edit: its name, the event at which the edit reaches it, and its description in the table.
 * Event `edit`: the edit is made. `page`: the page shows it. `page again`: a browser with the old page receives the new
 * one. Any other event is one of `EditedSite.events`.
 */
export type StationRow = readonly [name: string, event: string, words: string]

/** Milliseconds from the start of the edit to each station, by the name of the station. */
export type Stations = Readonly<Record<string, number>>

export interface EditedSite {
  /** Stations in order. One is named `served`: a visitor receives the new price. */
  readonly stations: readonly StationRow[]
  /** URL of the page that shows the price. */
  readonly address: string
  /**
   * Emits the events of the stations except `edit`, `page` and `page again`. Also emits `reported` when the builder has
   * reported a rebuild.
   */
  readonly events: EventEmitter
  /** True if `reported` is emitted after each edit; false on a site without a builder. */
  readonly reports: boolean
  readonly setPrice: (price: number) => unknown
  /** Rejects if a process of the site ends. Absent if the site does not watch its processes. */
  readonly failed?: Promise<never>
}

/** Max wait for a station after the start of an edit, in milliseconds. */
export const PATIENCE = 30_000
const LOOK = 5

/**
 * Makes the edit, and waits for every station and, on a site with a builder, for the builder's report. Returns the time
 * at each station.
 */
export async function followEdit(price: number, site: EditedSite): Promise<Stations> {
  const { stations, address, events, reports, setPrice } = site
  const etag = (await fetch(address)).headers.get('etag') ?? ''
  const start = performance.now()
  const passed = (): number => performance.now() - start
  const text = formatPrice(price)
  const edit = Promise.withResolvers<unknown>()
  const reach = async (event: string): Promise<number> => {
    if (event === 'edit') await edit.promise
    else if (event === 'page') await waitForPage(address, text)
    else if (event === 'page again') await waitForPage(address, text, { 'if-none-match': etag })
    else await once(events, event, { signal: AbortSignal.timeout(PATIENCE) })
    return passed()
  }
  const waits = stations.map(async ([name, event]) => [name, await reach(event)] as const)
  const done = Promise.all([Promise.all(waits), reports ? reach('reported') : null])
  edit.resolve(setPrice(price))
  const [times] = await done
  return Object.fromEntries(times)
}

/** Requests the page until it shows the text. Rejects if `PATIENCE` is exceeded. */
export async function waitForPage(
  address: string,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const end = performance.now() + PATIENCE
  while (performance.now() < end) {
    if ((await (await fetch(address, { headers })).text()).includes(text)) return
    await wait(LOOK)
  }
  throw new Error(`${address} did not show ${text} within 30 s`)
}
