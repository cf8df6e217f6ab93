/** Sizes and repetitions of the rebuild bench. */

/** The rebuild of one changed seller is measured at all three sizes, to show that its time does not grow. */
export type Size = 'small' | 'middle' | 'large'
export const BENCH_SIZES: readonly Size[] = ['small', 'middle', 'large']

export interface BenchSettings {
  readonly isQuick: boolean
  readonly sellers: Readonly<Record<Size, number>>
  /** Number of sellers of an additional, smaller site, to show that the time of import, verify and export is linear. */
  readonly part: number
  /** Number of products of one large seller, and number of other sellers on the same site. */
  readonly crowded: { readonly products: number; readonly others: number }
  /** Number of rounds. In each round, every long command runs once. */
  readonly rounds: number
  /** Runs of each short command in every round. */
  readonly turns: number
}

export const FULL: BenchSettings = {
  isQuick: false,
  sellers: { small: 1_000, middle: 10_000, large: 100_000 },
  part: 5_000,
  crowded: { products: 20_000, others: 250 },
  rounds: 3,
  turns: 5,
}

/** Settings of `--quick`, which takes about two minutes. */
export const QUICK: BenchSettings = {
  isQuick: true,
  sellers: { small: 200, middle: 1_000, large: 5_000 },
  part: 1_000,
  crowded: { products: 2_000, others: 50 },
  rounds: 2,
  turns: 4,
}

/** Returns the bytes of disk space needed: a measured value with a margin. */
export function findSpace({ sellers }: BenchSettings): number {
  return 100_000 * sellers.large + 900_000 * sellers.middle
}
