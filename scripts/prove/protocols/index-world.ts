/**
 * State of the model of builders of a search index: source, notices, the live site, the index, and puts that have not
 * arrived yet.
 */

export type IndexRule =
  | 'a put is conditional'
  | 'a put of unchanged data changes the tag too'
  | 'a builder asks whether its publish is live'
  | 'a builder reads tags before it asks whether its publish is live'
  | 'a seller named in a claim waits for the index even if her data is unchanged'
  | 'a seller waits until a feed has put her data'
  | 'a comparison begins with a new epoch'
  | 'a full read compares the index'

export const INDEXED_SELLERS = [0, 1, 2] as const
type Seller = (typeof INDEXED_SELLERS)[number]

export interface Put {
  readonly seller: Seller
  /** Tag and epoch that the builder saw. */
  readonly tag: number
  readonly epoch: number
  readonly data: number
}

export type RunStep = 'claim' | 'read' | 'publish' | 'save' | 'begin' | 'compare' | 'see' | 'ask' | 'put'

export interface Run {
  next: RunStep
  readonly isForced: boolean
  isFull: boolean
  isCompared: boolean
  upTo: number
  named: readonly Seller[]
  puts: Put[]
  /** Value of `index.life` when the run began to compare the index. */
  life: number
}

export interface BuilderState {
  readonly data: number[]
  readonly waits: boolean[]
  /** Sequence of the builder's last claim whose sellers it has read. */
  claimed: number
  /** Id of the builder's last publish. */
  publish: number
  /** Value of `index.life` at the builder's last comparison. */
  index: number
}

export interface Builder {
  state: BuilderState
  /** Older copy of `state`, which may be restored. */
  saved: BuilderState
  run: Run | null
}

export interface IndexWorld {
  readonly hasFullReads: boolean
  readonly source: number[]
  /** Sellers of notices that have not arrived yet. */
  readonly notices: Seller[]
  /** By seller: sequence of the last notice that reached the coordinator. */
  readonly noticed: number[]
  /** Counts notices and claims. */
  sequence: number
  publishes: number
  /** A builder whose last claim is older than this sequence must read everything. */
  fullReadAt: number
  live: { readonly publish: number; readonly claimed: number; readonly data: readonly number[] }
  /** `life` counts how often the index was emptied. Each emptying sets all tags to zero. */
  index: { readonly life: number; epoch: number; readonly rows: { data: number; tag: number }[] }
  epochs: number
  /** Puts whose answers were lost. Each arrives later, perhaps more than once. */
  readonly calls: Put[]
  readonly builders: readonly [Builder, Builder]
}

export function createIndexWorld({ hasFullReads }: Pick<IndexWorld, 'hasFullReads'>): IndexWorld {
  return {
    hasFullReads,
    source: [1, 1, 1],
    notices: [],
    noticed: [0, 0, 0],
    sequence: 0,
    publishes: 0,
    fullReadAt: 0,
    live: { publish: 0, claimed: 0, data: [1, 1, 1] },
    index: { life: 0, epoch: 0, rows: INDEXED_SELLERS.map(() => ({ data: 1, tag: 1 })) },
    epochs: 0,
    calls: [],
    builders: [createBuilder(), createBuilder()],
  }
}

function createBuilder(): Builder {
  const state = { data: [1, 1, 1], waits: [false, false, false], claimed: 0, publish: 0, index: 0 }
  return { state, saved: structuredClone(state), run: null }
}

export function createRun(isForced: boolean): Run {
  return { next: 'claim', isForced, isFull: false, isCompared: false, upTo: 0, named: [], puts: [], life: 0 }
}

/**
 * Puts a seller's data. With all rules, returns `false` and changes nothing if the epoch or the tag has changed since
 * the builder read them.
 */
export function putRow(
  world: IndexWorld,
  { seller, tag, epoch, data }: Put,
  without: IndexRule | null,
): boolean {
  const { index } = world
  const row = index.rows[seller]
  const isUnchanged = row?.tag === tag && index.epoch === epoch
  if (!isUnchanged && without !== 'a put is conditional') return false
  const isKept = row?.data === data && without === 'a put of unchanged data changes the tag too'
  index.rows[seller] = { data, tag: (row?.tag ?? 0) + (isKept ? 0 : 1) }
  return true
}
