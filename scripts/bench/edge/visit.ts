/** Sends the requests of a visitor and of a builder, and times them by the client's clock in milliseconds. */
import { formatPrice } from '../../../src/domain/documents/price.ts'
import { formatCataloguePath } from '../../../src/domain/pages/paths.ts'
import type { RunningStore } from './edge-store.ts'
import { createObject } from './made-objects.ts'

export interface TimedVisit {
  readonly ms: number
  readonly text: string
}

const PATIENCE = 10_000

/** Throws unless the status is 200. */
export async function visit(address: string): Promise<TimedVisit> {
  const start = performance.now()
  const response = await fetch(address)
  const text = await response.text()
  const ms = performance.now() - start
  if (response.status !== 200) throw new Error(`${address} answered with status ${response.status}`)
  return { ms, text }
}

export function visitSeller({ origin }: Pick<RunningStore, 'origin'>, number: number): Promise<TimedVisit> {
  return visit(`${origin}${formatCataloguePath(createObject(number).name)}`)
}

/**
 * Pushes an object with this price, and requests the page until it shows the price. Returns the time from the request
 * for the tag.
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
  const address = `${store.origin}${formatCataloguePath(name)}`
  while (!(await visit(address)).text.includes(formatPrice(price)))
    if (performance.now() - start > PATIENCE)
      throw new Error(`${address} still shows an earlier price after 10 s`)
  return performance.now() - start
}
