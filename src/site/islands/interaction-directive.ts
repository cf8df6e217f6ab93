/**
 * Astro directive `client:interaction`: hydrates an island after the visitor has used a control and the photos on the
 * screen are loaded. The page's inline script handles all input, so nothing waits for an island.
 */
import type { ClientDirective } from 'astro'

/** A directive that needs only the function that loads the island. */
export type HydrateIsland = (load: Parameters<ClientDirective>[0]) => void

const SIGNS = ['click', 'input'] as const

/**
 * Controls whose use hydrates islands. The controls of the order need no island: `.add` is excluded, and the order's
 * dialogs are outside `main` and `header`. `:not()` contains no list, because Chrome 87 and Firefox 78 do not support
 * one there.
 */
const CONTROLS = 'main button:not(.add), header button, input, select'

const hydrateOnInteraction: HydrateIsland = (load) => {
  let isStarted = false
  const start = async ({ target }: Event): Promise<void> => {
    if (isStarted || !(target instanceof Element && target.closest(CONTROLS))) return
    isStarted = true
    try {
      await waitForPhotos()
      const hydrate = await load()
      await hydrate()
    } catch {
      // Loading or hydrating the island failed. The next use of a control tries again. Many browsers do not load a module
      // again that has failed; there, the inline script goes on alone until the page is reloaded.
      isStarted = false
    }
  }
  for (const sign of SIGNS) addEventListener(sign, start)
}

/** Resolves when no photo on the screen is loading, because photos have priority on the connection. */
async function waitForPhotos(): Promise<void> {
  const cards = [...document.querySelectorAll('.card')].filter(isInView)
  await Promise.allSettled(cards.map((card) => card.querySelector('img')?.decode()))
}

function isInView(card: Element): boolean {
  const { top, bottom } = card.getBoundingClientRect()
  // The rectangle of a hidden card ends at 0.
  return bottom > 0 && top < innerHeight
}

export default hydrateOnInteraction
