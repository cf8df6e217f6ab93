/** Tells style sheets when the heading is off the screen, and brings the first match into view after a choice. */

export function followScroll(): void {
  const heading = document.querySelector('h1')
  if (heading === null) return
  const observer = new IntersectionObserver((entries) => {
    const isGone = entries.at(-1)?.isIntersecting === false
    document.documentElement.toggleAttribute('data-scrolled', isGone)
  })
  observer.observe(heading)
  const bar = document.querySelector('.bar')
  for (const kind of ['click', 'input', 'change'])
    bar?.addEventListener(kind, (event) => showFirstMatch(bar, event))
}

/** Runs after the choice was applied, since its listeners are on elements inside of the bar. */
function showFirstMatch(bar: Element, { type, target }: Event): void {
  // A tap on the search box only opens the keyboard.
  if (type === 'click' && !(target instanceof HTMLButtonElement)) return
  const list = document.querySelector('main ul')
  if (list === null) return
  const isBehind = list.getBoundingClientRect().top < bar.getBoundingClientRect().bottom - 1
  if (isBehind) list.scrollIntoView()
}
