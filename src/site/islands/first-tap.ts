/** The inline script of a catalogue: filters, sorts and searches from the first tap, until React takes over. */
import type { View } from '../../domain/catalogue/view.ts'
import { EVERYTHING, FILTERS } from '../../domain/catalogue/view.ts'
import { answerVisitor } from './answer-visitor.ts'
import { followScroll } from './follow-scroll.ts'
import './replace-photos.ts'
import { findSelect, readSelects, SELECTS } from './selects.ts'
import { findFilter, showView } from './show-view.ts'
import { writeView } from './view-address.ts'

let view = EVERYTHING

function choose(change: Partial<View>): void {
  view = { ...view, ...change }
  showView(view)
  for (const filter of FILTERS) findFilter(filter)?.setAttribute('aria-pressed', `${filter === view.filter}`)
  writeView(view)
}

followScroll()
const { signal } = answerVisitor(choose)

for (const filter of FILTERS) {
  const answer = (event: Event): void => {
    // Marks the click as handled for interaction-directive.ts.
    event.preventDefault()
    choose({ filter })
  }
  findFilter(filter)?.addEventListener('click', answer, { signal })
}

for (const part of SELECTS) {
  findSelect(part)?.addEventListener('change', () => choose(readSelects()), { signal })
}
