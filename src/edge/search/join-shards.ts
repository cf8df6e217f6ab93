/** The search index of a site: calls its shards in parallel. */
import { digestText } from '../../domain/work/digest.ts'
import type { SearchAnswer } from '../../domain/pages/found-products.ts'
import { NOTHING_FOUND } from '../../domain/search/search-answer.ts'
import type {
  BucketDigest,
  BucketComparison,
  PlacedSeller,
  SearchIndex,
  SeenTags,
  SellerUpdate,
  UpdateOutcome,
} from '../../domain/search/search-index.ts'
import { findShard, MAX_UPDATES, placeSellers } from '../../domain/search/search-index.ts'
import { parseQuery } from '../../domain/search/words.ts'
import type { IndexState } from '../../domain/wire/search-calls.ts'
import { divide } from '../../domain/work/batches.ts'
import { mergeFound } from './merge-found.ts'

/**
 * Returned lists have the order of the arguments. All calls except `search` reject if a shard fails.
 */
export interface JoinedIndex {
  /** Accepts any text. Leaves out shards that fail; rejects if all fail. */
  search(query: string): Promise<SearchAnswer>
  /**
   * Returns the sellers' tags in the index. `life` changes if a shard was emptied or the number of shards was changed.
   */
  see(names: readonly string[]): Promise<SeenTags>
  update(updates: readonly SellerUpdate[]): Promise<readonly UpdateOutcome[]>
  /** Returns the shard that holds this bucket. */
  openBucket(bucket: number): SearchIndex
  readonly shards: readonly SearchIndex[]
  begin(): Promise<BegunIndex>
  noteCompared(comparison: BucketComparison): Promise<void>
  readState(): Promise<IndexState>
}

interface BegunIndex {
  readonly epoch: string
  readonly life: string
  readonly buckets: readonly BucketDigest[]
}

export interface ShardsOptions {
  readonly shards: readonly SearchIndex[]
  /** Receives a line when shards fail to answer a search. The line contains nothing that a visitor typed. */
  readonly log: (line: string) => void
}

/**
 * Returns the name of a shard's Durable Object. The name contains the number of shards: after a change of it, the new
 * Durable Objects are empty and have to be filled again.
 */
export function formatShardName(shards: number, index: number): string {
  return `${shards}/${index}`
}

export function joinShards({ shards, log }: ShardsOptions): JoinedIndex {
  const [first] = shards
  if (first === undefined) throw new Error('a search index needs at least one shard')
  return {
    search: (query) => searchShards(shards, parseQuery(query), log),
    see: async (names) => seeShards(shards, await placeSellers(names)),
    update: (updates) => sendDivided(shards, updates, (shard, part) => shard.update(part)),
    openBucket: (bucket) => shards[findShard(bucket, shards.length)] ?? first,
    shards,
    begin: async () => {
      const epoch = crypto.randomUUID()
      const begun = await Promise.all(shards.map((shard) => shard.begin(epoch)))
      return { epoch, life: await joinLives(begun), buckets: begun.flatMap(({ buckets }) => buckets) }
    },
    // Every shard must record the comparison, because that subtracts the failures from before the comparison from the
    // shard's count of failed updates.
    noteCompared: async (comparison) =>
      void (await Promise.all(shards.map((shard) => shard.noteCompared(comparison)))),
    readState: () => readState(shards),
  }
}

function joinLives(shards: readonly { readonly life: string }[]): Promise<string> {
  return digestText(shards.map(({ life }) => life).join(' '))
}

function groupByShard<Item extends PlacedSeller>(
  items: readonly Item[],
  shards: number,
): ReadonlyMap<number, readonly Item[]> {
  return Map.groupBy(items, ({ bucket }) => findShard(bucket, shards))
}

/** Asks all shards, even those without these sellers, because `life` is made from the lives of all shards. */
async function seeShards(
  shards: readonly SearchIndex[],
  sellers: readonly PlacedSeller[],
): Promise<SeenTags> {
  const groups = groupByShard(sellers, shards.length)
  const seen = await Promise.all(shards.map((shard, at) => shard.see(groups.get(at) ?? [])))
  const tags = new Map<PlacedSeller, string>()
  for (const [at, group] of groups) group.forEach((one, place) => tags.set(one, seen[at]?.tags[place] ?? ''))
  return { life: await joinLives(seen), tags: sellers.map((one) => tags.get(one) ?? '') }
}

async function sendDivided<Item extends PlacedSeller>(
  shards: readonly SearchIndex[],
  items: readonly Item[],
  send: (shard: SearchIndex, part: readonly Item[]) => Promise<readonly UpdateOutcome[]>,
): Promise<readonly UpdateOutcome[]> {
  const outcomes = new Map<Item, UpdateOutcome>()
  const sendGroup = async (shard: SearchIndex | undefined, group: readonly Item[]): Promise<void> => {
    if (shard === undefined) return
    for (const part of divide(group, MAX_UPDATES)) {
      const told = await send(shard, part)
      part.forEach((item, place) => outcomes.set(item, told[place] ?? 'beaten'))
    }
  }
  const groups = [...groupByShard(items, shards.length)]
  await Promise.all(groups.map(([at, group]) => sendGroup(shards[at], group)))
  return items.map((item) => outcomes.get(item) ?? 'beaten')
}

async function readState(shards: readonly SearchIndex[]): Promise<IndexState> {
  const states = await Promise.all(shards.map((shard) => shard.readState()))
  const compared = states.map((one) => one.compared ?? '').sort()[0] ?? ''
  return {
    life: await joinLives(states),
    shards: shards.length,
    sellers: sum(states.map(({ sellers }) => sellers)),
    products: sum(states.map(({ products }) => products)),
    compared: compared === '' ? null : compared,
    repaired: Math.max(...states.map(({ repaired }) => repaired)),
    unfed: sum(states.map(({ unfed }) => unfed)),
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}

async function searchShards(
  shards: readonly SearchIndex[],
  words: readonly string[],
  log: ShardsOptions['log'],
): Promise<SearchAnswer> {
  if (words.length === 0) return NOTHING_FOUND
  const settled = await Promise.allSettled(shards.map((shard) => shard.find(words)))
  const answers = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failed = settled.length - answers.length
  if (failed > 0) log(`search: ${failed} of ${settled.length} shards failed to answer a search`)
  if (answers.length === 0) throw new Error('no shard of the search index answers')
  return mergeFound(answers)
}
