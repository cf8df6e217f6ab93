/** What a machine, the files and the databases on it have in common. */

/** `at` counts the changes of a process: each written, renamed, removed or forced file, and each commit, from 1. */
export type Fault =
  | { readonly kind: 'kill'; readonly at: number; readonly moment: 'before' | 'during' | 'after' }
  /** With `isLasting` the disk stays full: later changes that need space fail, too. */
  | { readonly kind: 'error'; readonly at: number; readonly isLasting: boolean }

/** Which changes that are not forced to the disk a power cut loses: those that a seed chooses, all, or only removals. */
export type Cut = number | 'everything' | 'removals'

/** What the disk has after a power cut of the possible outcomes: the present one first, the oldest last. */
export type Choose = (count: number, isRemoved: boolean) => number

/** One change of the disk. */
export interface DiskChange<T> {
  readonly act: () => T
  /** Does a part of it, as a kill in the middle would. */
  readonly actInPart?: () => void
  readonly createError: () => Error
  readonly needsSpace: boolean
}

export class KilledError extends Error {
  override readonly name = 'KilledError'
}

/** What the logs of files and databases need from the machine. */
export interface Host {
  readonly folder: string
  readonly change: <T>(change: DiskChange<T>) => T
  readonly isRunning: () => boolean
  readonly isDead: () => boolean
}
