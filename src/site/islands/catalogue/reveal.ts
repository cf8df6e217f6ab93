/**
 * Shows cards: the first ones at once, the others in later frames, so that the response to a tap is painted first. The
 * list has `aria-busy` until all cards are shown.
 */
import { find } from '../find.ts'

export interface WaitingCard {
  readonly element: HTMLElement
  readonly isSeen: boolean
}

/** Moves a card to its place. Called in the order of the cards. */
export type CardPlace = (element: HTMLElement) => void

/** Cards per frame. The first frame fills more than a phone screen; a later frame takes a slow phone about 100 ms. */
const FIRST = 8
const LATER = 300

let waiting: readonly WaitingCard[] = []
let place: CardPlace | undefined

/** Replaces the waiting cards. Without `newPlace`, the cards stay where they are. */
export function reveal(cards: readonly WaitingCard[], newPlace?: CardPlace): void {
  waiting = cards
  place = newPlace
  showWaiting(FIRST)
}

/** Returns whether some cards have not moved to their new places yet. */
export function isMoving(): boolean {
  return place !== undefined && waiting.length > 0
}

/** Shows `count` waiting cards at once (all of them by default), and the others in later frames. */
export function showWaiting(count = Infinity): void {
  let seen = 0
  let done = 0
  for (const { element, isSeen } of waiting) {
    if (seen === count) break
    place?.(element)
    element.hidden = !isSeen
    if (isSeen) seen += 1
    done += 1
  }
  const rest = waiting.slice(done)
  waiting = rest
  find('main ul')?.setAttribute('aria-busy', `${rest.length > 0}`)
  const showMore = (): void => {
    if (waiting === rest) showWaiting(LATER)
  }
  // A timer that is set in a frame's callback runs after the frame is painted.
  if (rest.length) requestAnimationFrame(() => setTimeout(showMore))
  // Removes old lists, because all their cards have moved out of them.
  else for (const old of document.querySelectorAll('main ul ~ ul')) old.remove()
}
