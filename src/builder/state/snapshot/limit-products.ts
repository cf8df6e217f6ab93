/** The bound of products of a seller, as the last rebuild set it: all that read the snapshot show the same products. */
import type { DatabaseSync } from 'node:sqlite'
import { runTransaction } from '../sqlite/transactions.ts'
import { writeMeta } from '../sqlite/values.ts'
import { ADD_TOUCHED } from './waits-sql.ts'
import {
  createLimitProblem,
  DEFAULT_MAX_PRODUCTS,
  LEAST_MAX_PRODUCTS,
} from '../../../domain/catalogue/product-limit.ts'
import type { Problem } from '../../../domain/documents/document.ts'

export interface ProductLimit {
  read(): number
  /** Returns the bound if this number of products exceeds it, else `null`. */
  find(products: number): number | null
  /** Returns whether this changes the bound. */
  set(most: number): boolean
  readProblems(): readonly Problem[]
}

// The first condition is that of the partial index.
const LARGE = `FROM sellers INDEXED BY sellers_large WHERE products > ${LEAST_MAX_PRODUCTS} AND products > ?`

export function createProductLimit(database: DatabaseSync): ProductLimit {
  const bound = database.prepare("SELECT value FROM meta WHERE name = 'products'")
  const large = database.prepare(`SELECT id, products ${LARGE} ORDER BY id`)
  const read = (): number => Number(bound.get()?.['value'] ?? DEFAULT_MAX_PRODUCTS)
  return {
    read,
    find: (products) => {
      if (products <= LEAST_MAX_PRODUCTS) return null
      const most = read()
      return products > most ? most : null
    },
    set: (most) => {
      const before = read()
      if (most === before) return false
      runTransaction(database, () => {
        database.prepare(`INSERT INTO touched SELECT id ${LARGE}`).run(Math.min(before, most))
        database.exec(ADD_TOUCHED)
        writeMeta(database, 'products', String(most))
      })
      return true
    },
    readProblems: () => {
      const most = read()
      return large
        .all(most)
        .map((row) => createLimitProblem(String(row['id']), Number(row['products']), most))
    },
  }
}
