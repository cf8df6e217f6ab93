/** The renderer of the Worker, from the generated module that holds the compiled server and what belongs to it. */
import { formatOrder } from '../../domain/catalogue/order-probe.ts'
import type { DataFacts } from '../../domain/objects/data-facts.ts'
import { FORMAT } from '../../domain/objects/object-data.ts'
import type { CompiledServer } from '../../domain/pages/compiled-server.ts'
import type { EdgeRenderer } from './edge-renderer.ts'

/** A renderer that makes pages, but no objects. */
export type ScreenRenderer = Omit<EdgeRenderer, 'intake' | 'format' | 'homePicture'>

/** The generated module of a site whose pages are files. */
export interface CompiledScreens<Facts = Omit<ScreenRenderer, 'render'>> extends CompiledServer<Request> {
  /** What the builder knows of it. */
  readonly facts: Facts
}

/** The generated module of a site of objects. */
export type CompiledModule = CompiledScreens<CompiledFacts>

export interface CompiledFacts extends Omit<EdgeRenderer, 'format' | 'render'> {
  /** What the data of objects depends on. */
  readonly data: DataFacts
}

export function openRenderer(compiled: CompiledModule): EdgeRenderer {
  const { intake, homePicture } = compiled.facts
  return { ...openScreens(compiled), intake, homePicture, format: FORMAT }
}

/** The renderer is created for the first page. */
export function openScreens({ createRenderer, facts }: CompiledScreens): ScreenRenderer {
  const { code, site, policy, headers } = facts
  let render: EdgeRenderer['render'] | null = null
  return {
    // Hosts that sort names in another way make other pages.
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
