/**
 * A random story as plain values: changes, and the options of the rebuild after them. Numbers are indexes, modulo the
 * number of choices.
 */
import type { SourceKind } from '../site/documents.ts'
import type { PlayedSetting } from '../site/played-settings.ts'
import type { CodeGroup } from '../site/story-code.ts'

export interface Sequence {
  readonly source: SourceKind
  /** Whether there are enough sellers for the render pool. */
  readonly isLarge: boolean
  /** `PHOTOS` at the beginning. */
  readonly photos: 'off' | 'files' | 'service'
  /** The number of profiles at the beginning; `owners` has the owner of each product. */
  readonly profiles: number
  readonly owners: readonly number[]
  readonly steps: readonly StoryStep[]
}

export interface StoryStep {
  readonly changes: readonly StoryChange[]
  /** How rows are written to an embedded database. */
  readonly style: WriteStyle
  readonly run: StoryRun
}

export type WriteStyle = 'update' | 'replace' | 'reinsert'

export interface StoryRun {
  readonly sellers: readonly number[]
  readonly isFull: boolean
  readonly isVerify: boolean
  readonly isShrinkAllowed: boolean
  /** Threads of the render pool. */
  readonly threads: number
}

export type ProductField = 'price' | 'name' | 'photo' | 'available' | 'decant' | 'stock' | 'keys'

export type DocumentChange =
  | { readonly kind: 'new product'; readonly product: number; readonly owner: number }
  | {
      readonly kind: 'edit product'
      readonly product: number
      readonly field: ProductField
      readonly value: number
    }
  | { readonly kind: 'move product'; readonly product: number; readonly owner: number }
  | { readonly kind: 'delete product'; readonly product: number }
  | { readonly kind: 'profile'; readonly seller: number; readonly value: number }
  | { readonly kind: 'delete profile'; readonly profile: number }
  | { readonly kind: 'delete seller'; readonly profile: number }
  | {
      readonly kind: 'hostile product'
      readonly product: number
      readonly body: number
      readonly owner: number
    }
  | { readonly kind: 'hostile profile'; readonly id: number; readonly body: number }
  | { readonly kind: 'touch'; readonly document: number }
  | { readonly kind: 'shuffle'; readonly seed: number }

export type Part = 'dist' | StatePart | 'source'
export type StatePart = 'snapshot' | 'record' | 'pictures'

export type WorldChange =
  | { readonly kind: 'setting'; readonly name: PlayedSetting; readonly value: number }
  | { readonly kind: 'builder code'; readonly group: CodeGroup; readonly value: number }
  | { readonly kind: 'code'; readonly variant: number }
  | { readonly kind: 'public folder'; readonly variant: number }
  | { readonly kind: 'runtime'; readonly value: number }
  | { readonly kind: 'lose'; readonly parts: readonly Exclude<Part, 'source'>[] }
  | { readonly kind: 'restore'; readonly parts: readonly Part[]; readonly backup: number }
  | {
      readonly kind: 'damage file'
      readonly file: number
      readonly how: 'truncate' | 'edit' | 'delete' | 'add'
    }
  | { readonly kind: 'damage marker'; readonly how: 'truncate' | 'edit' | 'delete' }
  | {
      readonly kind: 'damage state'
      readonly part: Exclude<StatePart, 'pictures'>
      readonly how: 'overwrite' | 'truncate' | 'spoil a page'
      readonly place: number
    }
  | { readonly kind: 'break source' }

export type StoryChange = DocumentChange | WorldChange
