/** Stores the max number of shown products per seller, as the last rebuild set it, for all readers of the snapshot. */
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
  /** Returns the max number if `products` exceeds it, else `null`. */
  find(products: number): number | null
  /** Sets the max number. Returns true if it differs from the previous one. */
  set(most: number): boolean
  readProblems(): readonly Problem[]
}

// SQLite uses the partial index only if the query repeats the index's condition, here the first comparison.
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
