/** What may happen in a story around the search index: edits, feeds and comparisons that are killed or raced, and losses. */
export const SELLERS = ['ana', 'bea', 'caro', 'dulce', 'eva', 'fe', 'gala', 'ida'] as const
export const PRODUCTS = ['p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7', 'p8', 'p9'] as const
export const NAMES = ['Ángel', 'Eros', 'Bleu 100 ml', 'Chanel EDP', 'Channel', 'Rosa'] as const
export const MACHINES = ['one', 'two'] as const
export type Machine = (typeof MACHINES)[number]

export type Edit =
  | {
      readonly product: string
      /** `null` removes it. */
      readonly owner: string | null
      readonly name: string
      readonly price: number
      readonly available: boolean
    }
  /** `null` removes it. */
  | { readonly profile: string; readonly name: string | null }

/** The process is killed before or after the call with this number; `null` if it ends by itself. */
export type End = { readonly call: number; readonly when: 'before' | 'after' } | null

/** In lane `assets`. `isClaimed`: whether the machine asks the coordinator before. */
export interface Publish {
  readonly kind: 'publish'
  readonly machine: Machine
  readonly isWhole: boolean
  readonly isClaimed: boolean
  readonly end: End
}

/** In lane `objects`: a builder pushes, or the Worker renders and puts. `isFed`: whether the Worker lives to feed the index. */
export interface Put {
  readonly kind: 'push' | 'consume'
  readonly sellers: readonly string[]
  readonly isFed: boolean
}

/** In lane `objects`: a build that compares everything. */
export interface Night {
  readonly kind: 'night'
  readonly machine: Machine
  readonly end: End
}

export type Work = Publish | Put | Night

export type Happening =
  | { readonly kind: 'edit'; readonly edit: Edit }
  | Work
  /** `inner` runs while `outer` waits before its call of this number, after an edit. */
  | {
      readonly kind: 'race'
      readonly outer: Publish | Night
      readonly call: number
      readonly edit: Edit
      readonly inner: Work
    }
  /** One of the last calls arrives, again or at last. */
  | { readonly kind: 'late'; readonly pick: number }
  | { readonly kind: 'other shards'; readonly shards: number }
  | { readonly kind: 'index deleted' | 'index emptied' | 'count lost' | 'kept' }
  /** A machine goes on with the state that was kept, or with none. */
  | { readonly kind: 'state'; readonly machine: Machine; readonly isKept: boolean }
  /** The bucket of objects is as it was when it was kept. */
  | { readonly kind: 'bucket restored' }

export function formatHappening(one: Happening): string {
  const { kind, ...rest } = one
  return `${kind} ${JSON.stringify(rest)}`
}
