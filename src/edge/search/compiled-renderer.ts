/**
 * Opens the Worker's renderer from the generated module, which contains the compiled server and facts about the site.
 */
import { formatOrder } from '../../domain/catalogue/order-probe.ts'
import type { CompiledServer } from '../../domain/pages/compiled-server.ts'
import type { Site } from '../../domain/pages/site.ts'
import type { SearchRenderer } from './answer-search.ts'

export interface CompiledRenderer extends SearchRenderer {
  /** Fingerprint of the renderer with the site's settings. */
  readonly code: string
  readonly site: Site
}

export interface CompiledModule extends CompiledServer<Request> {
  /** Facts about the site, which the builder writes into the module. */
  readonly facts: Omit<CompiledRenderer, 'render'>
}

/** The compiled renderer is created when the first page is rendered. */
export function openRenderer({ createRenderer, facts }: CompiledModule): CompiledRenderer {
  const { code, site, policy, headers } = facts
  let render: CompiledRenderer['render'] | null = null
  return {
    // Includes the order in which this host sorts names, because a host with another order renders other pages.
    code: `${code}-${formatOrder()}`,
    site,
    policy,
    headers,
    render: (page) => {
      render ??= createRenderer(site, (url) => new Request(url))
      return render(page)
    },
  }
}
