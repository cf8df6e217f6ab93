/**
 * Part of an inline script: puts each message at the lowest place of the screen where it covers no control, or at the
 * top if there is none, and removes it later. Messages scroll with the page, so that they cover no control after
 * scrolling either.
 */
import { find } from './find.ts'

/** Milliseconds until a message is removed. */
const READING_TIME = 8_000

const line = find('output')

if (line)
  new MutationObserver(() => {
    const sentence = line.firstChild
    const { left, width, height } = line.getBoundingClientRect()
    let top = innerHeight - height - 16
    // Checks a grid of points, from a little above to a little below the message. Each control is larger than the
    // distance between two points. The message moves up until no point is on a control.
    for (let point = 0; point < 81; point += 1) {
      const seen = document.elementFromPoint(
        left + (width * (point % 9)) / 8,
        top + (height * (point - 8)) / 64,
      )
      if (seen?.closest('button,label,.pill')) {
        top -= 16
        point = -1
      }
    }
    line.style.top = `${scrollY + Math.max(0, top)}px`
    setTimeout(() => sentence?.remove(), READING_TIME)
  }).observe(line, { childList: true })
