/** The builders' calls about the search index. In a site without an index these addresses do not exist. */
import { createUpdate, MAX_LISTED } from '../../domain/search/search-index.ts'
import { LARGEST_BATCH, LARGEST_PUSH } from '../../domain/wire/object-calls.ts'
import { parsePacked } from '../../domain/wire/object-bodies.ts'
import type { BodyLimits } from '../../domain/wire/read-body.ts'
import {
  parseClear,
  parseCompared,
  parseNothing,
  parseRefresh,
  parseSellers,
  parseUpdate,
} from '../../domain/wire/search-bodies.ts'
import type {
  BegunAnswer,
  DigestsAnswer,
  RefreshCall,
  SearchUpdateAnswer,
  SellersAnswer,
  SellersCall,
  UpdateCall,
} from '../../domain/wire/search-calls.ts'
import type { ObjectStore } from '../pages/object-store.ts'
import { readObjects } from '../pages/read-objects.ts'
import { refreshObjects } from '../search/feed-objects.ts'
import type { JoinedIndex } from '../search/join-shards.ts'
import type { HostRoute } from './prepare-call.ts'
import { answer, parseJson, prepareCall } from './prepare-call.ts'
import { refuse } from './refuse.ts'
import { decodeBase64, unpackText } from './unpack.ts'

export interface SearchHost {
  readonly index: JoinedIndex
  /** `null` in lane `assets`. */
  readonly store: Pick<ObjectStore, 'get'> | null
}

const SMALL: BodyLimits = { size: 256 * 1024, time: 10_000 }
/** A slow line takes its time. */
const LARGE: BodyLimits = { size: LARGEST_PUSH, time: 60_000 }

export const SEARCH_ROUTES: readonly HostRoute<SearchHost>[] = [
  {
    path: '/search/begin',
    limits: SMALL,
    prepare: prepareCall(parseNothing, async ({ index }: SearchHost) => answer(await begin(index))),
  },
  { path: '/search/update', limits: LARGE, prepare: prepareCall(parsePacked, answerUpdate) },
  { path: '/search/refresh', limits: SMALL, prepare: prepareCall(parseRefresh, answerRefresh) },
  {
    path: '/search/digests',
    limits: SMALL,
    prepare: prepareCall(parseNothing, async ({ index }: SearchHost) => answer(await listDigests(index))),
  },
  {
    path: '/search/sellers',
    limits: SMALL,
    prepare: prepareCall(parseSellers, async ({ index }, call) => answer(await listSellers(index, call))),
  },
  {
    path: '/search/compared',
    limits: SMALL,
    prepare: prepareCall(parseCompared, async ({ index }, comparison) => {
      await index.noteCompared(comparison)
      return answer({})
    }),
  },
  {
    path: '/search/clear',
    limits: SMALL,
    prepare: prepareCall(parseClear, async ({ index }, { since }) => {
      await index.clear(since)
      return answer({})
    }),
  },
  {
    path: '/search/count',
    limits: SMALL,
    prepare: prepareCall(parseNothing, async ({ index }) => answer(await index.readState())),
  },
]

// In lane `objects` the index shows what the objects are, so nobody may tell it something else.
async function answerUpdate({ index, store }: SearchHost, gzip: string): Promise<Response> {
  if (store !== null) return refuse(404)
  const packed = decodeBase64(gzip)
  const text = packed === null ? 400 : await unpackText(packed, LARGEST_BATCH)
  if (typeof text === 'number') return refuse(text)
  const call = parseUpdate(parseJson(text))
  return call === null ? refuse(400) : answer(await updateIndex(index, call))
}

async function updateIndex(
  index: JoinedIndex,
  { sellers, ...kind }: UpdateCall,
): Promise<SearchUpdateAnswer> {
  const updates = await Promise.all(
    sellers.map(({ seller, entry, sequence }) => createUpdate(seller, entry, { sequence, ...kind })),
  )
  const outcomes = await index.update(updates)
  const results = updates.map(({ seller, sequence }, at) => ({
    seller,
    sequence,
    outcome: outcomes[at] ?? 'late',
  }))
  return { shards: index.shards.length, results }
}

async function answerRefresh({ index, store }: SearchHost, { names, since }: RefreshCall): Promise<Response> {
  if (store === null) return refuse(404)
  const results = await refreshObjects(index, await readObjects(names, store), since)
  return answer({ shards: index.shards.length, results } satisfies SearchUpdateAnswer)
}

async function begin(index: JoinedIndex): Promise<BegunAnswer> {
  return { shards: index.shards.length, ...(await index.begin()) }
}

async function listDigests(index: JoinedIndex): Promise<DigestsAnswer> {
  return { ...(await begin(index)), buckets: await index.digestBuckets() }
}

async function listSellers(index: JoinedIndex, { bucket, after }: SellersCall): Promise<SellersAnswer> {
  const sellers = await index.openBucket(bucket).listSellers(bucket, after)
  return { sellers, next: sellers.length < MAX_LISTED ? null : (sellers.at(-1)?.seller ?? null) }
}
