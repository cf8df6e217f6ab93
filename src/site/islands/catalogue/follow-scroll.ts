/** Sets `data-scrolled` while the heading is off the screen, and scrolls back to the first match after a choice. */
import { find } from '../find.ts'

export function followScroll(): void {
  const observer = new IntersectionObserver((entries) => {
    const isGone = entries.pop()?.isIntersecting === false
    document.documentElement.toggleAttribute('data-scrolled', isGone)
  })
  const heading = find('h1')
  if (heading) observer.observe(heading)
}

export function showFirstMatch(): void {
  const list = find('main ul')
  const bottom = find('.bar')?.getBoundingClientRect().bottom ?? 0
  if (list && list.getBoundingClientRect().top < bottom - 1) list.scrollIntoView()
}
