/**
 * The element `astro-island` of a built page. Astro's own element also revives props, passes slots, waits for outer
 * islands and retries failed modules, but adds 4.5 kB to each page. The site's islands have neither props nor slots,
 * and the page's inline script works without the modules of the islands.
 */
import type { HydrateIsland } from './interaction-directive.ts'

type Renderer = (
  island: HTMLElement,
) => (component: unknown, props: object, slots: object, metadata: object) => unknown

export function defineIsland(hydrateWith: HydrateIsland): void {
  customElements.define(
    'astro-island',
    class extends HTMLElement {
      connectedCallback(): void {
        hydrateWith(() => load(this))
      }
    },
  )
}

/** Returns the function that hydrates the island, once the document and the modules are loaded. */
async function load(island: HTMLElement): Promise<() => Promise<void>> {
  const read = (name: string): string => island.getAttribute(name) ?? ''
  const [component, renderer] = await Promise.all([
    importModule(read('component-url')),
    importModule(read('renderer-url')),
    waitForDocument(),
  ])
  return async () => {
    await (renderer['default'] as Renderer)(island)(component[read('component-export')], {}, {}, {})
    island.removeAttribute('ssr')
  }
}

/** Imports a module with low priority, so that the visitor's next request goes first on the connection. */
async function importModule(url: string): Promise<Record<string, unknown>> {
  const link = document.createElement('link')
  Object.assign(link, { rel: 'modulepreload', fetchPriority: 'low', href: url })
  document.head.append(link)
  return import(/* @vite-ignore */ url)
}

async function waitForDocument(): Promise<void> {
  if (document.readyState !== 'loading') return
  await new Promise((resolve) => {
    addEventListener('DOMContentLoaded', resolve, { once: true })
  })
}
