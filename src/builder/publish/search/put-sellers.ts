/** Puts sellers into the search index of a site of files: sees their tags, then asks whether it may, then reads and sends them. */
import type { SearchEntry } from '../../../domain/search/search-entry.ts'
import type { UpdateOutcome } from '../../../domain/search/search-index.ts'
import { MAX_UPDATES } from '../../../domain/search/search-index.ts'
import { LARGEST_BATCH, LARGEST_PUSH } from '../../../domain/wire/call.ts'
import type { SentSeller } from '../../../domain/wire/search-calls.ts'
import { SEARCH_CALLS } from '../../../domain/wire/search-calls.ts'
import type { Limit } from '../../../domain/work/batches.ts'
import { divide } from '../../../domain/work/batches.ts'
import { formatBody } from '../coordinator/call-methods.ts'
import type { SearchClient } from './search-client.ts'
import { sendDivided } from './send-divided.ts'

/** Reads what the index should have of a seller; `null` for nothing. */
export type ReadEntry = (seller: string) => SearchEntry | null

export interface PutWorld {
  readonly client: Pick<SearchClient, 'see' | 'update' | 'readState'>
  readonly read: ReadEntry
  /** Whether what is read after this may be put into an index of this life. Called after its tags were seen. */
  readonly mayPut: (life: string) => Promise<boolean>
}

export interface SellerResult {
  readonly seller: string
  readonly outcome: UpdateOutcome
}

/** In bytes. As base64 of bytes that cannot be compressed it fits into a call. */
const FITTING = Math.floor(LARGEST_PUSH * 0.7)
const BYTES: Limit<SentSeller> = {
  most: FITTING,
  measure: (seller) => Buffer.byteLength(JSON.stringify(seller)),
}
/** Workers Free gives a call 10 ms of processor time; 100 products took up to 12. Measured by `npm run bench -- requests`. */
export const PRODUCTS_OF_CALL = 60
const PRODUCTS: Limit<SentSeller> = {
  most: PRODUCTS_OF_CALL,
  measure: ({ entry }) => entry?.products.length ?? 0,
}

/** Yields after each call. Ends without the rest once nothing may be put. */
export async function* putSellers(
  sellers: readonly string[],
  { client, read, mayPut }: PutWorld,
): AsyncGenerator<readonly SellerResult[]> {
  const send = async (part: readonly SentSeller[]): Promise<readonly SellerResult[]> => {
    const outcomes = isSendable(part) ? (await client.update({ sellers: part })).outcomes : []
    return part.map(({ seller }, at) => ({ seller, outcome: outcomes[at] ?? 'failed' }))
  }
  for (const names of divide(sellers, MAX_UPDATES)) {
    const { life, tags } = await client.see({ see: names })
    if (!(await mayPut(life))) return
    for (const part of divide(readSellers(names, tags, read), MAX_UPDATES, BYTES, PRODUCTS))
      yield* sendDivided(part, { send, probe: client.readState, createFailure })
  }
}

function createFailure({ seller }: SentSeller): SellerResult {
  return { seller, outcome: 'failed' }
}

// One at a time, because many at once may not fit into memory.
function* readSellers(
  names: readonly string[],
  tags: readonly string[],
  read: ReadEntry,
): Generator<SentSeller> {
  for (const [at, seller] of names.entries()) yield { seller, seen: tags[at] ?? '', entry: read(seller) }
}

/** Several sellers of a batch fit together, but a single seller may be too large. */
function isSendable(sellers: readonly SentSeller[]): boolean {
  if (sellers.length > 1) return true
  const size = Buffer.byteLength(JSON.stringify(sellers))
  const isFitting = (): boolean => formatBody(SEARCH_CALLS.update, { sellers }).length <= LARGEST_PUSH
  return size <= FITTING || (size <= LARGEST_BATCH && isFitting())
}
