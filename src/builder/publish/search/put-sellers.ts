/** Puts sellers into the search index. Reads their tags, calls `mayPut`, then reads and sends data. */
import type { SearchEntry } from '../../../domain/search/search-entry.ts'
import type { UpdateOutcome } from '../../../domain/search/search-index.ts'
import { MAX_UPDATES } from '../../../domain/search/search-index.ts'
import type { SentSeller } from '../../../domain/wire/search-calls.ts'
import { SEARCH_CALLS } from '../../../domain/wire/search-calls.ts'
import type { Limit } from '../../../domain/work/batches.ts'
import { divide } from '../../../domain/work/batches.ts'
import { FITTING, isSendable } from '../coordinator/call-methods.ts'
import type { FailureBudget } from '../coordinator/send-divided.ts'
import { sendDivided } from '../coordinator/send-divided.ts'
import type { SearchClient } from './search-client.ts'

/** Returns the entry that the index should have for a seller; `null` if it should have none. */
export type ReadEntry = (seller: string) => SearchEntry | null

interface PutWorld {
  readonly client: Pick<SearchClient, 'see' | 'update' | 'readState'>
  readonly read: ReadEntry
  /** Returns whether data that is read after this call may be put into the index with the id `life`. */
  readonly mayPut: (life: string) => Promise<boolean>
  readonly budget: FailureBudget
}

export interface SellerResult {
  readonly seller: string
  readonly outcome: UpdateOutcome
}

const BYTES: Limit<SentSeller> = {
  most: FITTING,
  measure: (seller) => Buffer.byteLength(JSON.stringify(seller)),
}
/**
 * Max products per call, unless one seller has more. Workers Free allows 10 ms of processor time per call, and 100
 * products took up to 12 ms. Measured by `npm run bench -- requests`.
 */
const PRODUCTS_OF_CALL = 60
const PRODUCTS: Limit<SentSeller> = {
  most: PRODUCTS_OF_CALL,
  measure: ({ entry }) => entry?.products.length ?? 0,
}

/** Yields the results of each call. Ends without the remaining sellers once `mayPut` returns `false`. */
export async function* putSellers(
  sellers: readonly string[],
  { client, read, mayPut, budget }: PutWorld,
): AsyncGenerator<readonly SellerResult[]> {
  const send = async (part: readonly SentSeller[]): Promise<readonly SellerResult[]> => {
    const outcomes = isPartSendable(part) ? (await client.update({ sellers: part })).outcomes : []
    return part.map(({ seller }, at) => ({ seller, outcome: outcomes[at] ?? 'failed' }))
  }
  for (const names of divide(sellers, MAX_UPDATES)) {
    const { life, tags } = await client.see({ see: names })
    if (!(await mayPut(life))) return
    for (const part of divide(readSellers(names, tags, read), MAX_UPDATES, BYTES, PRODUCTS))
      yield* sendDivided(part, { send, probe: client.readState, createFailure, budget })
  }
}

function createFailure({ seller }: SentSeller): SellerResult {
  return { seller, outcome: 'failed' }
}

// Reads one seller at a time, because many at once may not fit into memory.
function* readSellers(
  names: readonly string[],
  tags: readonly string[],
  read: ReadEntry,
): Generator<SentSeller> {
  for (const [at, seller] of names.entries()) yield { seller, seen: tags[at] ?? '', entry: read(seller) }
}

/**
 * Returns whether a batch fits into a call. Batches of several sellers are formed so that they fit; only a batch of one
 * seller may be too large.
 */
function isPartSendable(sellers: readonly SentSeller[]): boolean {
  if (sellers.length > 1) return true
  return isSendable(SEARCH_CALLS.update, { sellers }, Buffer.byteLength(JSON.stringify(sellers)))
}
