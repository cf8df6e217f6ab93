/** Finds out before a comparison whether the store has lost objects, as it has if the bucket is a new one. */
import { MAX_NAMES } from '../../../domain/wire/call.ts'
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
