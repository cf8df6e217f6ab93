/** Sends sellers to the search index in calls that the site takes. */
import type { SearchEntry } from '../../../domain/search/search-entry.ts'
import { MAX_UPDATES } from '../../../domain/search/search-index.ts'
import { LARGEST_BATCH, LARGEST_PUSH } from '../../../domain/wire/call.ts'
import type { SellerResult, SentSeller, UpdateCall } from '../../../domain/wire/search-calls.ts'
import { SEARCH_CALLS } from '../../../domain/wire/search-calls.ts'
import { formatBody } from '../coordinator/call-methods.ts'
import type { Limit } from '../../../domain/work/batches.ts'
import { divide } from '../../../domain/work/batches.ts'
import type { SearchClient } from './search-client.ts'
import type { DividedCalls } from './send-divided.ts'
import { sendDivided } from './send-divided.ts'

/** Reads what the index should have of a seller; `null` for nothing. */
export type ReadEntry = (seller: string) => SearchEntry | null

export interface Updates {
  readonly sellers: readonly string[]
  readonly read: ReadEntry
  readonly sequence: number
  /** As the site told it. */
  readonly since: number
  readonly isRepair: boolean
}

/** In bytes. As base64 of bytes that cannot be compressed it fits into a call. */
const FITTING = Math.floor(LARGEST_PUSH * 0.7)
const BYTES: Limit<SentSeller> = {
  most: FITTING,
  measure: (seller) => Buffer.byteLength(JSON.stringify(seller)),
}
/** Workers Free gives a call 10 ms of processor time, of which 2,000 products take 20 to 38. */
const PRODUCTS: Limit<SentSeller> = { most: 100, measure: ({ entry }) => entry?.products.length ?? 0 }

/** Yields after each call. Sellers that are too large for one are not sent. */
export async function* sendUpdates(
  { sellers, read, sequence, since, isRepair }: Updates,
  client: Pick<SearchClient, 'update' | 'begin'>,
): AsyncGenerator<readonly SellerResult[]> {
  const calls: DividedCalls<SentSeller, SellerResult> = {
    send: async (part) => {
      const call = { isRepair, since, sellers: part }
      return part.length > 1 || isSendable(call) ? (await client.update(call)).results : []
    },
    probe: () => client.begin(),
    createFailure: ({ seller }) => ({ seller, sequence, outcome: 'failed' }),
  }
  for (const part of divide(readSellers({ sellers, read, sequence }), MAX_UPDATES, BYTES, PRODUCTS))
    yield* sendDivided(part, calls)
}

/** Sends them as repairs. Returns all results. */
export async function sendRepairs(
  updates: Omit<Updates, 'isRepair'>,
  client: Pick<SearchClient, 'update' | 'begin'>,
): Promise<readonly SellerResult[]> {
  const all: SellerResult[] = []
  for await (const results of sendUpdates({ ...updates, isRepair: true }, client)) all.push(...results)
  return all
}

// One at a time, because many at once may not fit into memory.
function* readSellers({
  sellers,
  read,
  sequence,
}: Pick<Updates, 'sellers' | 'read' | 'sequence'>): Generator<SentSeller> {
  for (const seller of sellers) yield { seller, sequence, entry: read(seller) }
}

function isSendable(call: UpdateCall): boolean {
  const size = Buffer.byteLength(JSON.stringify(call))
  return (
    size <= FITTING || (size <= LARGEST_BATCH && formatBody(SEARCH_CALLS.update, call).length <= LARGEST_PUSH)
  )
}
