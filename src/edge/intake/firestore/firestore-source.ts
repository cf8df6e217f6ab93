/**
 * Reads sellers from Firestore over its REST API, usually in two calls within one read-only transaction: the first
 * reads a page of products, the second the profile and the products that the seller no longer has. The calls share a
 * transaction instead of a read time, because a read time would come from the Worker's clock: if the clock were behind,
 * both calls might miss the change.
 */
import { growDelay } from '../../../domain/wire/backoff.ts'
import type { Tries } from '../../../domain/work/try-again.ts'
import { tryAgain } from '../../../domain/work/try-again.ts'
import type { SellerRead, SellerSource } from '../seller-source.ts'
import type { RestCalls, RestOptions } from './rest-calls.ts'
import { createRestCalls } from './rest-calls.ts'
import { explainRest, mayPassAtOnce } from './rest-errors.ts'
import type { Key, RestReading, ReadLimits } from './rest-reads.ts'
import { lookUp, readProducts, TooLarge } from './rest-reads.ts'

export interface FirestoreSourceOptions extends RestOptions {
  readonly limits?: Partial<ReadLimits>
}

/**
 * Chosen for the 128 MB of a Worker. Measured with Node 24, the smallest heap in which a seller is read, rendered and
 * put into an object is 12 MB for 1 product, 32 MB for 2,000, 36 MB for 2,000 with 3.8 MB of responses (64 MB for three
 * such sellers at a time), 58 MB for 5,000. Outside the heap, the two copies of the object's bytes take 12 to 20 MB for
 * 2,000 products.
 */
const LIMITS: ReadLimits = { products: 2_000, bytes: 4 * 1024 * 1024, page: 1_000 }

const TRIES: Tries = {
  most: 3,
  findPause: (failures) => growDelay({ first: 100, longest: 1_000 }, failures, Math.random()),
  mayPass: mayPassAtOnce,
}

export function openFirestoreSource(options: FirestoreSourceOptions): SellerSource {
  const calls = createRestCalls(options)
  const limits = { ...LIMITS, ...options.limits }
  return {
    readSeller: async (seller, known) => {
      const signal = AbortSignal.timeout(calls.patience.whole)
      try {
        return await tryAgain(
          () => readSeller({ seller, known }, createReading(calls, limits, signal)),
          TRIES,
        )
      } catch (error) {
        if (error instanceof TooLarge) return { kind: 'large', reason: error.message }
        throw explainRest(options, error)
      }
    },
  }
}

function createReading({ root, send }: RestCalls, limits: ReadLimits, signal: AbortSignal): RestReading {
  let bytes = 0
  const count = (more: number): void => {
    bytes += more
    if (bytes > limits.bytes) throw new TooLarge(`more than ${limits.bytes} bytes of documents`)
  }
  return { root, limits, send: (method, body) => send({ method, body, count, signal }) }
}

interface Wanted {
  readonly seller: string
  readonly known: readonly string[]
}

async function readSeller({ seller, known }: Wanted, reading: RestReading): Promise<SellerRead> {
  const { transaction, products } = await readProducts(seller, reading)
  const owned = new Set(products.map(({ id }) => id))
  const left = [...new Set(known)].filter((id) => !owned.has(id))
  const keys = [{ collection: 'users', id: seller } as const, ...left.map(toProductKey)]
  const found = await lookUp(keys, transaction, reading)
  return {
    kind: 'read',
    documents: [...found.filter(({ collection }) => collection === 'users'), ...products],
    elsewhere: found.filter(({ collection }) => collection === 'cataloge'),
  }
}

function toProductKey(id: string): Key {
  return { collection: 'cataloge', id }
}
