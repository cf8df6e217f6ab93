/** Changes one seller's data with plain SQL, as a program outside this project would. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { formatCatalogueFile } from '../../src/domain/pages/paths.ts'
import { formatPrice } from '../../src/domain/documents/price.ts'
import type { MadeSeller } from './made-sellers.ts'
import { makeSeller } from './made-sellers.ts'

export interface PriceEdit {
  readonly seller: string
  /** Formatted price that the seller's page must show after the next rebuild. */
  readonly shown: string
}

/** Base of the edited prices. It is higher than any generated price, so that no earlier page shows an edited price. */
const FROM = 100_000
const STRIDE = 7_919

/**
 * Returns one of the first `sellers` generated sellers. No seller repeats within `sellers` consecutive turns, unless
 * `sellers` is a multiple of the prime number `STRIDE`.
 */
export function pickSeller(sellers: number, turn: number): MadeSeller {
  return makeSeller((turn * STRIDE) % sellers)
}

/** Gives the seller's first product a new price, different for each `turn`. Throws if `file` lacks the product. */
export function editSeller(file: string, { id: seller, products }: MadeSeller, turn: number): PriceEdit {
  const price = FROM + turn
  const database = new DatabaseSync(file, { timeout: 5_000 })
  try {
    const { changes } = database
      .prepare(
        "UPDATE documents SET data = json_set(data, '$.price', ?) WHERE collection = 'cataloge' AND id = ?",
      )
      .run(price, products[0]?.id ?? '')
    if (changes !== 1) throw new Error(`${file} does not contain the first product of ${seller}`)
  } finally {
    database.close()
  }
  return { seller, shown: formatPrice(price) }
}

/** Throws unless the seller's page shows the change. */
export function checkEdit(output: string, { seller, shown }: PriceEdit): void {
  const file = join(output, formatCatalogueFile(seller))
  if (!readFileSync(file, 'utf8').includes(shown))
    throw new Error(`after the rebuild, ${file} does not show the changed price ${shown}`)
}
