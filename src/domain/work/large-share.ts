/** Decides whether so many items are gone, or have failed, that a fault is more likely than a real change. */

const MAX_SHARE = 0.2
const MAX_COUNT = 10

export function isLargeShare(gone: number, before: number): boolean {
  return gone > MAX_COUNT && gone > before * MAX_SHARE
}

/**
 * Returns whether `gone` is a large share of the `before` items, or all of them. A small site may lose most items, but
 * not all.
 */
export function isTooMuch(gone: number, before: number): boolean {
  return isLargeShare(gone, before) || (gone > 0 && gone >= before)
}
