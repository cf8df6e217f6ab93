/**
 * Reads sellers from Firestore over its REST API. The first page of products opens a read-only transaction, and one call
 * looks up the profile and the products that are no longer hers in it: two round trips for a usual seller. One trip cannot
 * do: two calls at once see two states, and a read time of the Worker's own clock may lie before the change.
 */
import type { Collection, SourceDocument } from '../../../domain/documents/document.ts'
import { readField } from '../../../domain/documents/document.ts'
import { FIELDS, isDocumentId } from '../../../domain/documents/firestore-documents.ts'
import { growDelay } from '../../../domain/wire/backoff.ts'
import type { SellerRead, SellerSource } from '../seller-source.ts'
import type { RestCall, RestCalls, RestOptions } from './rest-calls.ts'
import { createRestCalls } from './rest-calls.ts'
import { explainRest, mayPassAtOnce, RestError } from './rest-errors.ts'
import { readRestDocument } from './rest-values.ts'

export interface FirestoreSourceOptions extends RestOptions {
  readonly limits?: Partial<ReadLimits>
}

/**
 * What one read may take of a Worker's memory, 128 MB for all that the Worker does at a time. A seller with more is left to
 * a builder. Measured with Node 24 as the smallest heap in which one seller is read, rendered and made an object: 12 MB for
 * 1 product, 32 MB for 2,000, 36 MB for 2,000 whose answers have 3.8 MB, 64 MB for three such sellers at a time, 58 MB for
 * 5,000. Outside of the heap are the bytes of the object, twice: 12 to 20 MB for 2,000.
 */
export interface ReadLimits {
  /** Products of the seller. */
  readonly products: number
  /** Bytes of all answers. */
  readonly bytes: number
  /** Products per answer. */
  readonly page: number
}

const LIMITS: ReadLimits = { products: 2_000, bytes: 4 * 1024 * 1024, page: 1_000 }

/** Documents per look-up. */
const BATCH = 500

const ATTEMPTS = 3
/** Before another attempt, in milliseconds. */
const DELAY = { first: 100, longest: 1_000 }

export function openFirestoreSource(options: FirestoreSourceOptions): SellerSource {
  const calls = createRestCalls(options)
  const limits = { ...LIMITS, ...options.limits }
  return {
    readSeller: async (seller, known) => {
      const signal = AbortSignal.timeout(calls.patience.whole)
      try {
        return await readPatiently(() => readSeller({ seller, known }, createReading(calls, limits, signal)))
      } catch (error) {
        if (error instanceof TooLarge) return { kind: 'large', reason: error.message }
        throw explainRest(options, error)
      }
    },
  }
}

async function readPatiently(read: () => Promise<SellerRead>): Promise<SellerRead> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read()
    } catch (error) {
      if (attempt === ATTEMPTS || !mayPassAtOnce(error)) throw error
    }
    const delay = growDelay(DELAY, attempt, Math.random())
    await new Promise((resolve) => setTimeout(resolve, delay))
  }
}

class TooLarge extends Error {}

/** One read of one seller. */
interface Reading {
  readonly root: string
  readonly limits: ReadLimits
  readonly send: (method: RestCall['method'], body: object) => Promise<readonly unknown[]>
}

function createReading({ root, send }: RestCalls, limits: ReadLimits, signal: AbortSignal): Reading {
  let bytes = 0
  const count = (more: number): void => {
    bytes += more
    if (bytes > limits.bytes) throw new TooLarge(`its documents have more than ${limits.bytes} bytes`)
  }
  return { root, limits, send: (method, body) => send({ method, body, count, signal }) }
}

interface Wanted {
  readonly seller: string
  readonly known: readonly string[]
}

async function readSeller({ seller, known }: Wanted, reading: Reading): Promise<SellerRead> {
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

interface Key {
  readonly collection: Collection
  readonly id: string
}

function toProductKey(id: string): Key {
  return { collection: 'cataloge', id }
}

interface Products {
  /** `null` if nothing was asked. */
  readonly transaction: string | null
  readonly products: readonly SourceDocument[]
}

async function readProducts(seller: string, reading: Reading): Promise<Products> {
  const { limits, send } = reading
  // No document holds such text.
  if (!seller.isWellFormed()) return { transaction: null, products: [] }
  const products: SourceDocument[] = []
  for (let transaction: string | null = null, last: string | null = null; ;) {
    const structuredQuery = createQuery(seller, { last, limit: limits.page })
    const selector = transaction === null ? { newTransaction: { readOnly: {} } } : { transaction }
    const answer = await send('runQuery', { structuredQuery, ...selector })
    transaction ??= findTransaction(answer)
    const page = answer.flatMap((element) => readField(element, 'document') ?? [])
    products.push(...page.map(readRestDocument))
    if (products.length > limits.products) throw new TooLarge(`it has more than ${limits.products} products`)
    if (page.length < limits.page) return { transaction, products }
    last = String(readField(page.at(-1), 'name'))
  }
}

interface Page {
  /** The name of the last document of the page before; `null` for the first page. */
  readonly last: string | null
  readonly limit: number
}

function createQuery(seller: string, { last, limit }: Page): object {
  const field = { fieldPath: 'owner.id' }
  return {
    select: { fields: FIELDS.map((fieldPath) => ({ fieldPath })) },
    from: [{ collectionId: 'cataloge' }],
    where: { fieldFilter: { field, op: 'EQUAL', value: { stringValue: seller } } },
    orderBy: [{ field: { fieldPath: '__name__' }, direction: 'ASCENDING' }],
    ...(last === null ? {} : { startAt: { values: [{ referenceValue: last }], before: false } }),
    limit,
  }
}

function findTransaction(answer: readonly unknown[]): string {
  const found = answer.map((element) => readField(element, 'transaction')).find(isText)
  if (found !== undefined) return found
  throw new RestError({ code: 'UNAVAILABLE', details: 'it opened no transaction', retryAfter: 0 })
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** Returns those of the documents that exist. */
async function lookUp(
  keys: readonly Key[],
  transaction: string | null,
  reading: Reading,
): Promise<readonly SourceDocument[]> {
  const possible = keys.filter(({ id }) => isDocumentId(id))
  const found: SourceDocument[] = []
  for (let from = 0; from < possible.length; from += BATCH)
    found.push(...(await lookUpBatch(possible.slice(from, from + BATCH), transaction, reading)))
  return found
}

async function lookUpBatch(
  keys: readonly Key[],
  transaction: string | null,
  { root, send }: Reading,
): Promise<readonly SourceDocument[]> {
  const answer = await send('batchGet', {
    documents: keys.map(({ collection, id }) => `${root}/${collection}/${id}`),
    mask: { fieldPaths: FIELDS },
    ...(transaction === null ? {} : { transaction }),
  })
  const results = answer.flatMap(
    (element) => readField(element, 'found') ?? readField(element, 'missing') ?? [],
  )
  if (results.length !== keys.length)
    throw new RestError({ code: 'UNAVAILABLE', details: 'its answer is incomplete', retryAfter: 0 })
  return results.flatMap((result) => (typeof result === 'string' ? [] : readRestDocument(result)))
}
