/** Notes that the store has lost objects, as it has if the bucket is a new one. */
import { MAX_NAMES } from '../../../domain/wire/call.ts'
import type { Snapshot } from '../../state/snapshot/snapshot.ts'
import type { SentFiles } from './sent-files.ts'
import type { TagTable } from './tag-table.ts'

interface StoreLoss {
  /** True if the store lacks objects that it had. It may then lack files, too. */
  readonly isFound: boolean
  /**
   * Sellers who must be pushed even if the store has equal data: their objects were probably put since the loss, by a
   * builder that did not send their files again. Empty if they are too many for that.
   */
  readonly again: readonly string[]
}

interface StoreState {
  readonly snapshot: Pick<Snapshot, 'waits' | 'readSellers'>
  readonly sent: Pick<SentFiles, 'forget'>
  /** Origin of the site that receives the objects. */
  readonly site: string
}

/** Makes the next delivery send all objects and files, because the store is a new one. */
export function sendAllAgain({ snapshot: { waits, readSellers }, sent, site }: StoreState): void {
  sent.forget()
  waits.register('store', site)
  // A comparison would not send the files of an object that another writer puts before it.
  waits.add([...readSellers()])
  waits.settleComparison('store')
}

/** `delivered` are the sellers whose objects the store had after the last delivery. */
export function findLoss(
  { isEmpty, find }: Pick<TagTable, 'isEmpty' | 'find'>,
  delivered: Iterable<string>,
): StoreLoss {
  const present: string[] = []
  let lost = 0
  for (const seller of delivered)
    if (find(seller).tag === null) lost += 1
    else present.push(seller)
  // If most objects are still there, a person has probably deleted the others, and no files.
  const isMost = present.length > lost + MAX_NAMES
  return { isFound: isEmpty || lost > 0, again: lost === 0 || isMost ? [] : present }
}
