/** Decides which removals are so large that a fault of the source is more likely. */

const MAX_SHARE = 0.2
const MAX_COUNT = 10

export function isLargeShare(gone: number, before: number): boolean {
  return gone > MAX_COUNT && gone > before * MAX_SHARE
}

/** Permits a site of few sellers to lose most items of a kind, but not all. */
export function isTooMuch(gone: number, before: number): boolean {
  return isLargeShare(gone, before) || (gone > 0 && gone >= before)
}
