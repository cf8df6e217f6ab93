/** The message with which an island begins to follow the view, which the page's inline script owns. */
import type { createSearch } from '../../../domain/catalogue/search.ts'
import type { ShownView } from '../../stores/shown-view.ts'

/** The event that carries a follower. */
export const FOLLOWER = 'vitrina:follower'

export interface Follower {
  /** A better search than the inline script has. */
  readonly createSearch: typeof createSearch
  readonly show: (shown: ShownView) => void
}
