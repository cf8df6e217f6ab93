/** Reads one seller over Firestore's REST API: pages of the seller's products, and look-ups in the same transaction. */
import type { Collection, SourceDocument } from '../../../domain/documents/document.ts'
import { readField } from '../../../domain/documents/document.ts'
import { FIELDS, isDocumentId } from '../../../domain/documents/firestore-documents.ts'
import type { RestCall } from './rest-calls.ts'
import { RestError } from './rest-errors.ts'
import { readRestDocument } from './rest-values.ts'

/** Shared by all calls of one try to read a seller. */
export interface RestReading {
  readonly root: string
  readonly limits: ReadLimits
  readonly send: (method: RestCall['method'], body: object) => Promise<readonly unknown[]>
}

/** Limits of one try to read a seller. A builder renders sellers that exceed `products` or `bytes`. */
export interface ReadLimits {
  /** Max products of the seller. */
  readonly products: number
  /** Max bytes of all responses together. */
  readonly bytes: number
  /** Max products per response. */
  readonly page: number
}

/** Max documents per look-up. */
const BATCH = 500

/** Thrown when a seller exceeds `products` or `bytes` of the limits. */
export class TooLarge extends Error {}

export interface Key {
  readonly collection: Collection
  readonly id: string
}

interface Products {
  /** `null` if no call was made. */
  readonly transaction: string | null
  readonly products: readonly SourceDocument[]
}

export async function readProducts(seller: string, reading: RestReading): Promise<Products> {
  const { limits, send } = reading
  // No document can contain an ill-formed id, so no call is needed.
  if (!seller.isWellFormed()) return { transaction: null, products: [] }
  const products: SourceDocument[] = []
  for (let transaction: string | null = null, last: string | null = null; ;) {
    const structuredQuery = createQuery(seller, { last, limit: limits.page })
    const selector = transaction === null ? { newTransaction: { readOnly: {} } } : { transaction }
    const answer = await send('runQuery', { structuredQuery, ...selector })
    transaction ??= findTransaction(answer)
    const page = answer.flatMap((element) => readField(element, 'document') ?? [])
    products.push(...page.map(readRestDocument))
    if (products.length > limits.products) throw new TooLarge(`more than ${limits.products} products`)
    if (page.length < limits.page) return { transaction, products }
    last = String(readField(page.at(-1), 'name'))
  }
}

interface Page {
  /** The name of the last document of the previous page; `null` for the first page. */
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
  throw new RestError({ code: 'UNAVAILABLE', details: 'the response names no transaction', retryAfter: 0 })
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** Returns the documents with these keys; leaves out documents that do not exist. */
export async function lookUp(
  keys: readonly Key[],
  transaction: string | null,
  reading: RestReading,
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
  { root, send }: RestReading,
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
    throw new RestError({ code: 'UNAVAILABLE', details: 'the response is incomplete', retryAfter: 0 })
  return results.flatMap((result) => (typeof result === 'string' ? [] : readRestDocument(result)))
}
