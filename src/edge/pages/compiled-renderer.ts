/** The renderer of the Worker, from the generated module that holds the compiled server and what belongs to it. */
import { formatOrder } from '../../domain/catalogue/order-probe.ts'
import { FORMAT } from '../../domain/objects/object-data.ts'
import type { CompiledApp } from '../../domain/pages/compiled-app.ts'
import { createAppRenderer } from '../../domain/pages/compiled-app.ts'
import type { EdgeRenderer } from './edge-renderer.ts'

/** The generated module. */
export interface CompiledModule {
  readonly createApp: (options: { streaming: boolean }) => CompiledApp<Request>
  readonly facts: CompiledFacts
}

/** What the builder knows of it. */
export type CompiledFacts = Pick<EdgeRenderer, 'code' | 'intake' | 'site' | 'policy' | 'headers'>

/** The app is created for the first page. */
export function openRenderer({ createApp, facts }: CompiledModule): EdgeRenderer {
  let render: EdgeRenderer['render'] | null = null
  return {
    ...facts,
    // Hosts that sort names in another way make other pages.
    code: `${facts.code}-${formatOrder()}`,
    format: FORMAT,
    render: (page) => {
      render ??= createAppRenderer(createApp({ streaming: false }), facts.site, (url) => new Request(url))
      return render(page)
    },
  }
}
