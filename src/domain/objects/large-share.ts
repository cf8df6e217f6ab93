/** When a removal is so large that it is more likely a fault of the source. */

const MAX_SHARE = 0.2
const MAX_COUNT = 10

export function isLargeShare(gone: number, before: number): boolean {
  return gone > MAX_COUNT && gone > before * MAX_SHARE
}

/** A site of a few sellers may lose most of them, but not all of anything. */
export function isTooMuch(gone: number, before: number): boolean {
  return isLargeShare(gone, before) || (gone > 0 && gone >= before)
}
