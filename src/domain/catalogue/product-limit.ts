/** Limits the products of one seller, so that no seller uses up resources that all sellers share. */
import type { Problem } from '../documents/document.ts'

/** The default and the bounds of the setting `MAX_PRODUCTS`. */
export const DEFAULT_MAX_PRODUCTS = 5_000
export const LEAST_MAX_PRODUCTS = 100
export const MOST_MAX_PRODUCTS = 100_000

/**
 * Returns at most `most` products. If there are more, these are the first by id, in code point order, as SQLite sorts
 * them.
 */
export function limitProducts<T extends { readonly id: string }>(
  products: readonly T[],
  most: number,
): readonly T[] {
  if (products.length <= most) return products
  return products.toSorted((a, b) => comparePoints(a.id, b.id)).slice(0, most)
}

export function createLimitProblem(seller: string, products: number, most: number): Problem {
  const reason = `has ${products} products, of which only the first ${most} by id are shown: raise MAX_PRODUCTS to show more`
  return { collection: 'users', id: seller, field: '', reason, fatal: false }
}

// Compares by code point. JavaScript's own order is by code unit, which puts surrogate pairs before U+E000 to U+FFFF.
function comparePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index += 1) {
    const difference = rankUnit(a.charCodeAt(index)) - rankUnit(b.charCodeAt(index))
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

function rankUnit(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
