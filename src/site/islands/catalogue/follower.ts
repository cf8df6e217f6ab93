/** The event by which an island requests the current `View`, and each later `View`, from the page's inline script. */
import type { createSearch } from '../../../domain/catalogue/search.ts'
import type { ShownView } from '../../stores/shown-view.ts'

/** The name of the event whose `detail` is a `Follower`. */
export const FOLLOWER = 'vitrina:follower'

export interface Follower {
  /** Replaces the simpler search of the inline script. */
  readonly createSearch: typeof createSearch
  readonly show: (shown: ShownView) => void
}
