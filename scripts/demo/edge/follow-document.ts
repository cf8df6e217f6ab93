/** Follows one written document to the visitor, and measures the time at each station. No builder takes part. */
import type { EventEmitter } from 'node:events'
import { once } from 'node:events'
import { formatPrice } from '../../../src/domain/documents/price.ts'
import { PATIENCE, waitForPage } from './follow-sql-edit.ts'

/** Milliseconds from the start of the write to each station. */
export interface DocumentStations {
  readonly written: number
  readonly noticed: number
  /** The Worker begins to read the seller. */
  readonly asked: number
  /** It has read her. */
  readonly read: number
  readonly served: number
}

export interface WatchedDocument {
  /** The page that shows the price. */
  readonly address: string
  /** Emits `noticed`, and the calls of Firestore. */
  readonly events: EventEmitter
  readonly setPrice: (price: number) => Promise<void>
}

export async function followDocument(
  price: number,
  { address, events, setPrice }: WatchedDocument,
): Promise<DocumentStations> {
  const start = performance.now()
  const passed = (): number => performance.now() - start
  const reach = async (name: string): Promise<number> => {
    await once(events, name, { signal: AbortSignal.timeout(PATIENCE) })
    return passed()
  }
  const [written, noticed, asked, read, served] = await Promise.all([
    setPrice(price).then(passed),
    reach('noticed'),
    reach('documents:runQuery'),
    reach('documents:batchGet answered'),
    waitForPage(address, formatPrice(price)).then(passed),
  ])
  return { written, noticed, asked, read, served }
}
