/**
 * Lane `objects`: compares the search index after a delivery, if that is due. A failure does not affect the delivery.
 */
import type { BegunDelivery } from '../../publish/objects/deliver-rebuild.ts'
import { formatCompared, formatFeedProblem } from './format-feed.ts'

/** `isPublished` is true if a new Worker may have gone live. Returns lines to print. Never throws. */
export async function refreshSearch(
  begun: Pick<BegunDelivery, 'refreshIndex'>,
  isPublished: boolean,
): Promise<readonly string[]> {
  try {
    const compared = await begun.refreshIndex(isPublished)
    return compared === null ? [] : formatCompared(compared)
  } catch (error) {
    return formatFeedProblem(error)
  }
}
