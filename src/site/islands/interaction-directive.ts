/**
 * Astro directive `client:interaction`: hydrates an island at the first touch of a control, key or focus. Reading and
 * scrolling load nothing.
 */
import type { ClientDirective } from 'astro'

const SIGNS = ['pointerdown', 'keydown', 'focusin'] as const

/** The order does without the island. */
const CONTROLS = 'button:not(.add, .sheet *), input, select'

const hydrateOnInteraction: ClientDirective = (load, _options, island) => {
  // An old browser that ignores the signals of listeners would have two owners. The inline script goes on there.
  if (!('abort' in AbortSignal)) return
  const repeatMissed = watchClicks(island)
  let isStarted = false
  const start = async ({ type, target }: Event): Promise<void> => {
    // A touch of anything else may begin to scroll, and focuses the content.
    const isElsewhere = type !== 'keydown' && !(target instanceof Element && target.closest(CONTROLS))
    if (isStarted || isElsewhere) return
    isStarted = true
    try {
      const hydrate = await load()
      await hydrate()
      repeatMissed()
      for (const sign of SIGNS) removeEventListener(sign, start)
    } catch {
      // A module did not arrive. The inline script goes on, and the next touch asks again.
      isStarted = false
    }
  }
  for (const sign of SIGNS) addEventListener(sign, start, { passive: true })
}

/** Records the last click before hydration. The returned function replays it unless its default was prevented. */
function watchClicks(island: HTMLElement): () => void {
  let last: Event | undefined
  const remember = (event: Event): void => {
    last = event
  }
  island.addEventListener('click', remember)
  return () => {
    island.removeEventListener('click', remember)
    if (last?.target instanceof HTMLElement && !last.defaultPrevented) last.target.click()
  }
}

export default hydrateOnInteraction
