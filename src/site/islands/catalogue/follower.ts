/** The event by which an island asks the page's inline script for the current `View` and each later one. */
import type { createSearch } from '../../../domain/catalogue/search.ts'
import type { ShownView } from '../../stores/shown-view.ts'

/** The name of the event whose `detail` is a `Follower`. */
export const FOLLOWER = 'vitrina:follower'

export interface Follower {
  /** A better search, which the inline script uses from now on. */
  readonly createSearch: typeof createSearch
  readonly show: (shown: ShownView) => void
}
