/** Remembers, for each seller whose pages wait for an update, which products the most recent partial read changed. */
import type { DatabaseSync } from 'node:sqlite'
import type { ProductLimit } from './limit-products.ts'

export interface ChangedProducts {
  /**
   * Returns the ids of the seller's new, changed and removed products; `null` if anything else on the seller's pages
   * may have changed.
   */
  find(seller: string): readonly string[] | null
  /**
   * Notes the changed products of a read. Must run in the read's transaction before its changes are applied to the
   * entries. `missing` is the SQL condition for entries to remove. A seller in `named` without changed entries is noted
   * with an empty list of products.
   */
  note(missing: string, named: readonly string[]): void
  /** Makes `find` return `null` for these sellers, because data other than product documents may have changed. */
  widen(sellers: readonly string[]): void
  /** Forgets all changed products, so that `find` returns `null` for every seller. */
  forget(): void
}

/** Selects each incoming document that is new or differs from its entry, together with this entry. */
export const DIFFERENT = `
FROM incoming AS new LEFT JOIN entries AS old ON old.collection = new.collection AND old.id = new.id
WHERE old.id IS NULL OR old.seller <> new.seller OR old.value <> new.value OR old.update_time <> new.update_time`

const ALL_DIFFERENT = `SELECT new.collection, new.id, new.seller, old.seller AS earlier ${DIFFERENT}`
export const ALL_GONE = (missing: string): string =>
  `SELECT collection, id, seller, NULL AS earlier FROM entries WHERE ${missing}`

export function createChangedProducts(database: DatabaseSync, limit: ProductLimit): ChangedProducts {
  const count = database.prepare('SELECT products FROM sellers WHERE id = ?')
  const unfinished = database.prepare('SELECT seller FROM waits')
  /** Ids of the changed products by seller; `null` if all pages of the seller may have changed. */
  let known = new Map<string, Set<string> | null>()
  const add = (seller: unknown, collection: unknown, id: unknown): void => {
    if (typeof seller !== 'string') return
    // A new seller or a changed profile affects all pages of the seller, not only those of products.
    const isMore = collection === 'users' || count.get(seller) === undefined
    const products = known.get(seller)
    if (isMore) known.set(seller, null)
    else if (products !== null) known.set(seller, (products ?? new Set()).add(String(id)))
  }
  return {
    find: (seller) => {
      const products = known.get(seller)
      const row = count.get(seller)
      if (!products || row === undefined) return null
      // If the seller has or had more products than may be shown, a change of one product may decide whether another is
      // shown. All changed products are added to the count, because each may have been removed.
      const isBounded = limit.find(Number(row['products']) + products.size) !== null
      return isBounded ? null : [...products]
    },
    note: (missing, named) => {
      known = new Map(unfinished.all().map((row) => [String(row['seller']), null]))
      for (const sql of [ALL_DIFFERENT, ALL_GONE(missing)]) {
        for (const { collection, id, seller, earlier } of database.prepare(sql).iterate()) {
          add(seller, collection, id)
          add(earlier, collection, id)
        }
      }
      for (const seller of named) if (!known.has(seller)) known.set(seller, new Set())
    },
    widen: (sellers) => {
      for (const seller of sellers) known.set(seller, null)
    },
    forget: () => known.clear(),
  }
}
