/**
 * Changes sellers in the stand-in for Firestore and notifies the site of each change, as the Firestore trigger does.
 * Times in ms.
 */
import { startAtRate } from '../../measure/times.ts'
import type { RunningStore } from './edge-store.ts'
import { createObject } from './made-objects.ts'
import { waitForPrice } from './visit.ts'

interface StreamedChange {
  readonly seller: number
  readonly price: number
  /** When the notice was accepted, by `performance.now()`. */
  readonly accepted: number
}

interface Rate {
  /** Changes a second. */
  readonly rate: number
  readonly ms: number
  readonly onAccepted?: (change: StreamedChange) => void
}

/**
 * Step from one changed seller to the next. A prime: unless the number of sellers is a multiple of it, every seller is
 * changed before any seller is changed again.
 */
const STRIDE = 7_919
/** Higher than any other price in the bench, so that no earlier page shows a price of this stream. */
const FIRST_PRICE = 200_000

export class ChangeStream {
  /** Newest price of each changed seller, by the seller's number. */
  readonly prices = new Map<number, number>()
  readonly #store: RunningStore
  readonly #sellers: number
  #turn = 0

  constructor(store: RunningStore, sellers: number) {
    this.#store = store
    this.#sellers = sellers
  }

  /** Changes the next seller. Resolves when the site has accepted the notice. */
  async change(): Promise<StreamedChange> {
    const turn = (this.#turn += 1)
    const seller = (turn * STRIDE) % this.#sellers
    const price = FIRST_PRICE + turn
    this.prices.set(seller, price)
    await announce(this.#store, seller, price)
    return { seller, price, accepted: performance.now() }
  }

  /**
   * Starts changes at a fixed rate, without waiting for earlier ones. Resolves with their number when all are accepted.
   */
  async run({ rate, ms, onAccepted = () => {} }: Rate): Promise<number> {
    const count = Math.ceil((rate * ms) / 1_000)
    await startAtRate(count, rate, () => this.change().then(onAccepted))
    return count
  }
}

/**
 * Changes a seller and requests the page until it shows the new price. Returns the time from the change to that page.
 */
export async function followChange(store: RunningStore, seller: number, price: number): Promise<number> {
  const start = performance.now()
  await announce(store, seller, price)
  await waitForPrice(store, { seller, price }, 5)
  return performance.now() - start
}

async function announce(
  { firestore, coordinator }: RunningStore,
  seller: number,
  price: number,
): Promise<void> {
  firestore.setPrice(seller, price)
  await coordinator.notify([createObject(seller).name])
}
