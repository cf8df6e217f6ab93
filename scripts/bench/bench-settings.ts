/** How much is measured. */

/** Small and large show whether a change costs the same among more sellers; all the rest is measured at the middle. */
export type Size = 'small' | 'middle' | 'large'
export const BENCH_SIZES: readonly Size[] = ['small', 'middle', 'large']

export interface BenchSettings {
  readonly isQuick: boolean
  readonly sellers: Readonly<Record<Size, number>>
  /** Rounds of everything that renders all pages. */
  readonly rounds: number
  /** In each round, so many of everything that is over at once. */
  readonly turns: number
}

export const FULL: BenchSettings = {
  isQuick: false,
  sellers: { small: 1_000, middle: 10_000, large: 100_000 },
  rounds: 3,
  turns: 5,
}

/** For a look: it takes less than two minutes. */
export const QUICK: BenchSettings = {
  isQuick: true,
  sellers: { small: 200, middle: 1_000, large: 5_000 },
  rounds: 2,
  turns: 4,
}

/** In bytes; measured, with something to spare. */
export function findSpace({ sellers }: BenchSettings): number {
  return 100_000 * sellers.large + 300_000 * sellers.middle
}
