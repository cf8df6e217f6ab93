/**
 * Shows cards: the first ones at once, the others in the frames after, so that the answer to a tap is painted first. The
 * list is busy until then.
 */
import { find } from './find.ts'

/** Numbers of cards for the first frame, more than a phone's screen, and for each later one, which takes a slow phone about 100 ms. */
const FIRST = 8
const LATER = 600

let waiting: HTMLElement[] = []

/** The cards replace those that wait. Takes them out of the array when they are shown. */
export function reveal(cards: HTMLElement[]): void {
  waiting = cards
  showWaiting(FIRST)
}

/** Shows so many of the cards that wait, all by default, and the others in the frames after. */
export function showWaiting(count = Infinity): void {
  const cards = waiting
  for (const card of cards.splice(0, count)) card.hidden = false
  find('main ul')?.setAttribute('aria-busy', `${cards.length > 0}`)
  const showMore = (): void => {
    if (waiting === cards) showWaiting(LATER)
  }
  // A timer that is set in a frame runs after its paint.
  if (cards.length) requestAnimationFrame(() => setTimeout(showMore))
}
