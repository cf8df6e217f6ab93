/** Limits the products of one seller, so that no seller uses up resources that all sellers share. */
import type { Problem } from '../documents/document.ts'

/** The default and the bounds of the setting `MAX_PRODUCTS`. */
export const DEFAULT_MAX_PRODUCTS = 5_000
export const LEAST_MAX_PRODUCTS = 100
export const MOST_MAX_PRODUCTS = 100_000

export function createLimitProblem(seller: string, products: number, most: number): Problem {
  const reason = `has ${products} products, of which only the first ${most} by id are shown: raise MAX_PRODUCTS to show more`
  return { collection: 'users', id: seller, field: '', reason, fatal: false }
}
