/** The renderer of the Worker, from the generated module that holds the compiled server and what belongs to it. */
import { formatOrder } from '../../domain/catalogue/order-probe.ts'
import type { DataFacts } from '../../domain/objects/data-facts.ts'
import { FORMAT } from '../../domain/objects/object-data.ts'
import type { CompiledServer } from '../../domain/pages/compiled-server.ts'
import type { EdgeRenderer } from './edge-renderer.ts'

/** A renderer that makes pages, but no objects. */
type ScreenRenderer = Omit<EdgeRenderer, 'intake' | 'format' | 'homePicture'>

export interface CompiledModule extends CompiledServer<Request> {
  /** Facts that the builder compiles in. */
  readonly facts: CompiledFacts
}

interface CompiledFacts extends Omit<ScreenRenderer, 'render'> {
  /** `null` in a site whose pages are files. */
  readonly objects: ObjectFacts | null
}

interface ObjectFacts extends Pick<EdgeRenderer, 'intake' | 'homePicture'> {
  /** The inputs of the data of objects. */
  readonly data: DataFacts
}

interface ObjectRenderer {
  readonly renderer: EdgeRenderer
  readonly intake: DataFacts & { readonly intake: string }
}

/** Returns `null` in a site whose pages are files. */
export function openObjectRenderer(compiled: CompiledModule): ObjectRenderer | null {
  const { objects } = compiled.facts
  if (objects === null) return null
  const { intake, homePicture, data } = objects
  return {
    renderer: { ...openScreens(compiled), intake, homePicture, format: FORMAT },
    intake: { ...data, intake },
  }
}

/** The renderer is created for the first page. */
export function openScreens({ createRenderer, facts }: CompiledModule): ScreenRenderer {
  const { code, site, policy, headers } = facts
  let render: EdgeRenderer['render'] | null = null
  return {
    // Hosts with another order of names would render other pages.
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
