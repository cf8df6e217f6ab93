/** Astro directive `client:interaction`: hydrates an island on the first interaction, or when the browser is idle. */
import type { ClientDirective } from 'astro'

const SIGNS = ['pointerdown', 'keydown', 'focusin'] as const

const hydrateOnInteraction: ClientDirective = (load, _options, island) => {
  const repeatMissed = watchClicks(island)
  let isStarted = false
  const start = async (): Promise<void> => {
    if (isStarted) return
    isStarted = true
    for (const sign of SIGNS) removeEventListener(sign, start)
    const hydrate = await load()
    await hydrate()
    repeatMissed()
  }
  for (const sign of SIGNS) addEventListener(sign, start, { passive: true })
  if (!isSavingData()) onIdle(start)
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

function isSavingData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } }
  return connection?.saveData === true
}

function onIdle(start: () => void): void {
  const wait = (): void => {
    if ('requestIdleCallback' in window) requestIdleCallback(start)
    else setTimeout(start, 200)
  }
  if (document.readyState === 'complete') wait()
  else addEventListener('load', wait, { once: true })
}

export default hydrateOnInteraction
