/**
 * Opens the Worker's renderer from the generated module, which contains the compiled server and facts about the site.
 */
import { formatOrder } from '../../domain/catalogue/order-probe.ts'
import { FORMAT } from '../../domain/objects/object-data.ts'
import type { CompiledServer } from '../../domain/pages/compiled-server.ts'
import type { EdgeRenderer } from './edge-renderer.ts'

/** A renderer of pages, without the facts that objects need. */
type ScreenRenderer = Omit<EdgeRenderer, 'intake' | 'format' | 'homePicture'>

export interface CompiledModule extends CompiledServer<Request> {
  /** Facts about the site, which the builder writes into the module. */
  readonly facts: CompiledFacts
}

interface CompiledFacts extends Omit<ScreenRenderer, 'render'> {
  /** `null` in a site whose pages are files. */
  readonly objects: Pick<EdgeRenderer, 'intake' | 'homePicture'> | null
}

/** Returns `null` in a site whose pages are files. */
export function openObjectRenderer(compiled: CompiledModule): EdgeRenderer | null {
  const { objects } = compiled.facts
  return objects === null ? null : { ...openScreens(compiled), ...objects, format: FORMAT }
}

/** The compiled renderer is created when the first page is rendered. */
export function openScreens({ createRenderer, facts }: CompiledModule): ScreenRenderer {
  const { code, site, policy, headers } = facts
  let render: EdgeRenderer['render'] | null = null
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
