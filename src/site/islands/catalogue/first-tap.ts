/**
 * The inline script of a catalogue: holds the current `View`, and filters, sorts and searches from the first tap on.
 */
import { createSearch } from '../../../domain/catalogue/search.ts'
import type { View } from '../../../domain/catalogue/view.ts'
import { EVERYTHING } from '../../../domain/catalogue/view.ts'
import { answerVisitor } from './answer-visitor.ts'
import type { Follower } from './follower.ts'
import { FOLLOWER } from './follower.ts'
import { followScroll } from './follow-scroll.ts'
import { showControls, showView } from './show-view.ts'
import { writeView } from './view-address.ts'

let view = EVERYTHING
let follower: Follower | undefined

function choose(change: Partial<View>): void {
  view = { ...view, ...change }
  const counts = showView(view, (follower?.createSearch ?? createSearch)(view.query))
  showControls({ view, counts })
  follower?.show({ view, counts })
  writeView(view)
}

answerVisitor(choose)
followScroll()
addEventListener(FOLLOWER, (event) => {
  follower = (event as CustomEvent<Follower>).detail
  choose({})
})
