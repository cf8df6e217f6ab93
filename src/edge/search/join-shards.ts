/** The search index of a site: its shards, asked in parallel. */
import type { SearchAnswer } from '../../domain/pages/found-products.ts'
import { NOTHING_FOUND } from '../../domain/search/search-answer.ts'
import type {
  BucketDigest,
  Comparison,
  SearchIndex,
  SellerUpdate,
  UpdateOutcome,
} from '../../domain/search/search-index.ts'
import { findShard, MAX_UPDATES } from '../../domain/search/search-index.ts'
import type { IndexState } from '../../domain/wire/search-calls.ts'
import { parseQuery } from '../../domain/search/words.ts'
import { mergeFound } from './merge-found.ts'

export interface JoinedIndex {
  /** Accepts any text. A shard that fails is left out; rejects if all fail. */
  search(query: string): Promise<SearchAnswer>
  /** Returns the outcomes in the order of the updates. Rejects if a shard fails; send the updates again. */
  update(updates: readonly SellerUpdate[]): Promise<readonly UpdateOutcome[]>
  /** The shard that tells all about a bucket. */
  openBucket(bucket: number): SearchIndex
  readonly shards: readonly SearchIndex[]
  /** Rejects if a shard fails, as the calls below do. */
  begin(): Promise<Begun>
  digestBuckets(): Promise<readonly BucketDigest[]>
  noteCompared(comparison: Comparison): Promise<void>
  /** Notes them in the first shard that answers. */
  noteUnfed(sellers: number): Promise<void>
  readState(): Promise<IndexState>
  clear(since: number): Promise<void>
}

interface Begun {
  /** The time of updates that begin now. */
  readonly since: number
  /** Whether a comparison has ended since the index was created or cleared. */
  readonly isFilled: boolean
  /** Updates with a smaller sequence are ignored. */
  readonly floor: number
}

export interface ShardsOptions {
  readonly shards: readonly SearchIndex[]
  /** Receives a line for a shard that failed. It holds nothing that a visitor typed. */
  readonly log: (line: string) => void
  /** In ms. */
  readonly now?: () => number
}

/**
 * Returns the name of a shard's object. It differs for each number of shards and for each lane, whose sequences cannot be
 * compared: after a change of either, the new objects are empty and are filled anew.
 */
export function formatShardName(lane: string, shards: number, index: number): string {
  return `${lane}/${shards}/${index}`
}

export function joinShards({ shards, log, now = Date.now }: ShardsOptions): JoinedIndex {
  const [first] = shards
  if (first === undefined) throw new Error('a search index needs a shard')
  const openBucket = (bucket: number): SearchIndex => shards[findShard(bucket, shards.length)] ?? first
  return {
    search: (query) => searchShards(shards, parseQuery(query), log),
    update: (updates) => updateShards(updates, openBucket),
    openBucket,
    shards,
    begin: () => begin(shards, now),
    digestBuckets: async () => (await Promise.all(shards.map((shard) => shard.digestBuckets()))).flat(),
    // The last comparison is noted in all, of which each sets back what it has noted as unfed.
    noteCompared: async (comparison) =>
      void (await Promise.all(shards.map((shard) => shard.noteCompared(comparison)))),
    noteUnfed: (sellers) => noteUnfed(shards, sellers),
    readState: () => readState(shards),
    clear: async (since) => void (await Promise.all(shards.map((shard) => shard.clear(since)))),
  }
}

/** A shard may have another clock: none must believe that it was created after this. */
async function begin(shards: readonly SearchIndex[], now: () => number): Promise<Begun> {
  const notes = await Promise.all(shards.map((shard) => shard.readNotes()))
  return {
    since: Math.max(now(), ...notes.map(({ begun }) => begun)),
    isFilled: notes.every(({ compared }) => compared !== null),
    floor: Math.max(...notes.map(({ floor }) => floor)),
  }
}

async function noteUnfed(shards: readonly SearchIndex[], sellers: number): Promise<void> {
  const [shard, ...others] = shards
  if (shard === undefined) throw new Error('no shard of the search index notes what it lacks')
  return shard.noteUnfed(sellers).catch(() => noteUnfed(others, sellers))
}

async function readState(shards: readonly SearchIndex[]): Promise<IndexState> {
  const [counts, notes] = await Promise.all([
    Promise.all(shards.map((shard) => shard.count())),
    Promise.all(shards.map((shard) => shard.readNotes())),
  ])
  const compared = notes.map((one) => one.compared ?? '').sort()[0] ?? ''
  return {
    shards: shards.length,
    sellers: sum(counts.map(({ sellers }) => sellers)),
    products: sum(counts.map(({ products }) => products)),
    compared: compared === '' ? null : compared,
    repaired: Math.max(...notes.map(({ repaired }) => repaired)),
    unfed: sum(notes.map(({ unfed }) => unfed)),
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
  if (failed > 0) log(`search: ${failed} of ${settled.length} shards failed`)
  if (answers.length === 0) throw new Error('no shard of the search index answers')
  return mergeFound(answers)
}

async function updateShards(
  updates: readonly SellerUpdate[],
  openBucket: (bucket: number) => SearchIndex,
): Promise<readonly UpdateOutcome[]> {
  const groups = [...Map.groupBy(updates, ({ bucket }) => openBucket(bucket))]
  const outcomes = new Map<SellerUpdate, UpdateOutcome>()
  const send = async (shard: SearchIndex, group: readonly SellerUpdate[]): Promise<void> => {
    for (let from = 0; from < group.length; from += MAX_UPDATES) {
      const part = group.slice(from, from + MAX_UPDATES)
      const told = await shard.update(part)
      part.forEach((update, index) => outcomes.set(update, told[index] ?? 'late'))
    }
  }
  await Promise.all(groups.map(([shard, group]) => send(shard, group)))
  return updates.map((update) => outcomes.get(update) ?? 'late')
}
