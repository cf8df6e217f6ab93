/** Sends the requests of a visitor and of a builder, and times them by the client's clock in milliseconds. */
import { setTimeout as wait } from 'node:timers/promises'
import { formatPrice } from '../../../src/domain/documents/price.ts'
import { formatCataloguePath } from '../../../src/domain/pages/paths.ts'
import type { RunningStore } from './edge-store.ts'
import { createObject } from './made-objects.ts'

interface TimedVisit {
  readonly ms: number
  readonly text: string
}

const PATIENCE = 60_000

/** Throws unless the status is 200. */
export async function visit(address: string): Promise<TimedVisit> {
  const start = performance.now()
  const response = await fetch(address)
  const text = await response.text()
  const ms = performance.now() - start
  if (response.status !== 200)
    throw new Error(`${address} answered with status ${response.status} instead of 200`)
  return { ms, text }
}

export function visitSeller({ origin }: Pick<RunningStore, 'origin'>, number: number): Promise<TimedVisit> {
  return visit(`${origin}${formatCataloguePath(createObject(number).name)}`)
}

/**
 * Requests the seller's page until it shows the price, with a pause of `pause` ms between requests. Throws after a
 * minute.
 */
export async function waitForPrice(
  { origin }: Pick<RunningStore, 'origin'>,
  { seller, price }: { readonly seller: number; readonly price: number },
  pause: number,
): Promise<void> {
  const address = `${origin}${formatCataloguePath(createObject(seller).name)}`
  const end = performance.now() + PATIENCE
  while (!(await visit(address)).text.includes(formatPrice(price))) {
    if (performance.now() > end) throw new Error(`${address} still shows an earlier price after a minute`)
    await wait(pause)
  }
}

/**
 * Pushes an object with this price, and requests the page until it shows the price. Returns the time from the request
 * for the tag to that page.
 */
export async function pushPrice(store: RunningStore, number: number, price: number): Promise<number> {
  const { client } = store
  const { name, data } = createObject(number, price)
  const start = performance.now()
  const { worker, objects } = await client.readTags({ names: [name] })
  const { format, intake } = worker
  const pushed = { name, tag: objects[0]?.tag ?? null, data }
  const { results } = await client.push({ format, intake, objects: [pushed], isShrinkAllowed: false })
  if (results[0]?.outcome !== 'stored')
    throw new Error(`the store rejected the object: ${JSON.stringify(results)}`)
  await waitForPrice(store, { seller: number, price }, 0)
  return performance.now() - start
}
