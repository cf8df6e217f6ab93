/** The home page keeps its link to a store as long as the store's page is there: the guard may hold it, rightly. */
import { formatObjectKey } from '../../domain/objects/object-key.ts'
import { HOME_STORES } from '../../domain/pages/home.ts'
import type { ChangeOutcome } from '../coordinator/change-ledger.ts'
import { parseNotes } from '../pages/object-notes.ts'
import type { WantedObject } from '../pages/put-objects.ts'
import type { ChangeHost } from './change-host.ts'
import { createStoreTrouble } from './change-outcomes.ts'

/**
 * Returns why the home page is not put; `null` if it is, and for the object of a seller. It is tried again together with what
 * is held, so it is right again when the source is.
 */
export async function findHomeHold(
  { data }: Pick<WantedObject, 'data'>,
  { store }: Pick<ChangeHost, 'store'>,
): Promise<ChangeOutcome | null> {
  if (data?.kind !== 'home') return null
  try {
    for (const seller of HOME_STORES.filter((one) => !data.stores.includes(one))) {
      const seen = await store.head(await formatObjectKey(seller))
      if (seen !== null && parseNotes(seen).digest !== null)
        return {
          kind: 'held',
          reason: `it would lose its link to seller ${seller}, whose page is still there`,
        }
    }
    return null
  } catch (error) {
    return createStoreTrouble(error)
  }
}
