/** Tells style sheets when the heading is off the screen, and brings the first match into view after a choice. */
import { find } from './find.ts'

/**
 * The events that are choices, with their controls. A tap on the search box only opens the keyboard, and its `change`
 * comes when the visitor touches something else, which must not move then.
 */
const CHOICES = [
  ['click', 'button'],
  ['input', 'input'],
  ['change', 'select'],
] as const

export function followScroll(): void {
  const heading = find('h1')
  if (!heading) return
  const observer = new IntersectionObserver((entries) => {
    const isGone = entries.pop()?.isIntersecting === false
    document.documentElement.toggleAttribute('data-scrolled', isGone)
  })
  observer.observe(heading)
  const bar = find('.bar')
  for (const [kind, control] of CHOICES)
    bar?.addEventListener(kind, ({ target }) => {
      if (target instanceof Element && target.localName === control) showFirstMatch(bar)
    })
}

/** Runs after the choice was applied, since its listeners are on elements inside of the bar. */
function showFirstMatch(bar: Element): void {
  const list = find('main ul')
  if (list && list.getBoundingClientRect().top < bar.getBoundingClientRect().bottom - 1) list.scrollIntoView()
}
