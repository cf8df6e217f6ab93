/** What may happen in a story around stored pages: edits, visitors, builders, switches of the code, faults, and time. */
import type { TroubleKind } from '../../../src/edge/intake/seller-source.ts'
import type { Edit } from './source.ts'
import { PRODUCTS, SELLERS } from './source.ts'

export const BUILDERS = ['one', 'two'] as const
export type BuilderName = (typeof BUILDERS)[number]
/** Data centres. */
export const CENTERS = ['east', 'west'] as const
export type Center = (typeof CENTERS)[number]
/** Versions of the code. `c` takes in documents in another way. */
export const CODES = ['a', 'b', 'c'] as const
export type Code = (typeof CODES)[number]

/**
 * What happens to an operation. `failed`: it has no effect. `unheard`: it has its effect, and who asked for it gets an
 * error. `slow`: it has its effect, and the answer waits until the task is let go on.
 */
export type Fate = 'good' | 'failed' | 'unheard' | 'slow'

/** Operations that the task does before it waits; `null`: all. */
export type Steps = number | null

export type Happening =
  | {
      readonly kind: 'edit'
      readonly edit: Edit
      readonly isSilent: boolean
      /** Of a product that moves: whether the old owner only is told. */
      readonly isHalf?: boolean
      /** Whether its notice is still on the way. Otherwise the coordinator has it at once. */
      readonly isLate?: boolean
    }
  | {
      readonly kind: 'visit'
      readonly center: Center
      readonly path: string
      /** While two versions answer: which of them. */
      readonly isOlder: boolean
      readonly steps: Steps
    }
  /** A builder learns of changes and delivers them, or compares everything. */
  | {
      readonly kind: 'build'
      readonly builder: BuilderName
      readonly isWhole: boolean
      readonly center: Center
      readonly steps: Steps
    }
  /** The operation for which a task waits is let through; further ones follow. */
  | { readonly kind: 'go'; readonly pick: number; readonly fate: Fate; readonly steps: Steps }
  /** A builder's process ends, or it no longer waits for the answer of its call. The call goes on. */
  | { readonly kind: 'die' | 'hang up'; readonly builder: BuilderName }
  /** A copy of an earlier push arrives. */
  | { readonly kind: 'repeat'; readonly pick: number; readonly center: Center; readonly steps: Steps }
  /** The code is uploaded and goes live. Both versions answer until the switch is through. */
  | { readonly kind: 'switch'; readonly code: Code }
  | { readonly kind: 'switch is through' }
  | { readonly kind: 'store fails' | 'store works' | 'evict' }
  | { readonly kind: 'crash' }
  | { readonly kind: 'time'; readonly ms: number }
  | ChangeHappening

/** In stories in which the Worker renders changes itself. */
export type ChangeHappening =
  /** A notice arrives; `isRepeated`: and once more, later. */
  | { readonly kind: 'notice'; readonly pick: number; readonly isRepeated: boolean; readonly steps: Steps }
  /** The coordinator's alarm sends what is due. */
  | { readonly kind: 'alarm'; readonly steps: Steps }
  /** The queue delivers up to `count` messages as one batch; `isRepeated`: and once more, later. */
  | {
      readonly kind: 'deliver'
      readonly pick: number
      readonly count: number
      readonly isRepeated: boolean
      readonly isOlder: boolean
      readonly steps: Steps
      readonly next?: Faulty
    }
  /** The queue gives a message up without a word, or after too many tries. */
  | { readonly kind: 'lose change' | 'bury change'; readonly pick: number }
  /** From now on no seller can be read. */
  | { readonly kind: 'source fails'; readonly trouble: TroubleKind; readonly retryAfter: number }
  | { readonly kind: 'source works' }
  /** This seller is too large for a Worker from now on, or no longer. */
  | { readonly kind: 'grow' | 'shrink'; readonly seller: string }
  /** Somebody allows what the guard has refused. */
  | { readonly kind: 'allow' }

/** The next operation of a task has this fate, further ones follow. */
interface Faulty {
  readonly fate: Fate
  readonly steps: Steps
}

export interface Story {
  /** Whether the first fill is done. */
  readonly isFilled: boolean
  /** Whether each change is given to one of the builders, as the coordinator does. Otherwise each has the log of changes. */
  readonly isShared: boolean
  /** Whether the Worker renders changes itself. Builders push beside it. */
  readonly isQueued: boolean
  /** Data centres in which deleting an entry of the cache has no effect. */
  readonly deaf: readonly Center[]
  readonly happenings: readonly Happening[]
}

/** Every address that stories and the checks at rest ask for. */
export const PATHS: readonly string[] = [
  '/',
  ...SELLERS.flatMap((seller) => {
    const catalogue = `/catalogo/${encodeURIComponent(seller)}`
    return [catalogue, ...PRODUCTS.map((product) => `${catalogue}/${product}`)]
  }),
  '/catalogo/nobody',
  '/catalogo/nobody/p1',
  '/catalogo/404',
  '/catalogo/ana/p9',
]

/** One line for people. */
export function formatHappening({ kind: name, ...details }: Happening): string {
  const words = Object.entries(details).map(([key, value]) => `${key} ${JSON.stringify(value)}`)
  return [name, ...words].join(', ')
}
