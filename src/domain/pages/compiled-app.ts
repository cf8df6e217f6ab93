/** Renders a screen with a compiled renderer, in builders and in the Worker. */
import type { PageKind, PageLocals, ScreenPage } from './page.ts'
import { PAGE_PATHS } from './page-paths.ts'
import type { Site } from './site.ts'

/** The app that the compiled server entry creates. `Request` is the class of the host. Source: `astro/app`, `BaseApp`. */
export interface CompiledApp<Request> {
  readonly manifest: { readonly pageMap?: Map<string, LoadModule> }
  render(request: Request, options: { locals: PageLocals }): Promise<RenderedResponse>
  renderError(request: Request, options: { error?: unknown; status: number }): Promise<RenderedResponse>
}

type LoadModule = () => Promise<unknown>

interface RenderedResponse {
  readonly status: number
  text(): Promise<string>
}

const OTHER_STATUS: Partial<Readonly<Record<PageKind, number>>> = { 'not-found': 404 }

/** The returned function rejects if the page cannot be rendered. */
export function createAppRenderer<Request>(
  app: CompiledApp<Request>,
  site: Site,
  createRequest: (url: string) => Request,
): (page: ScreenPage) => Promise<string> {
  app.renderError = async (_request, { error, status }) => {
    throw error instanceof Error ? error : new Error(`the renderer returned status ${status}`)
  }
  if (app.manifest.pageMap !== undefined) loadOnce(app.manifest.pageMap)
  return async (page) => {
    const locals: PageLocals = { site, page }
    const response = await app.render(createRequest(`http://localhost${PAGE_PATHS[page.kind]}`), { locals })
    if (response.status !== (OTHER_STATUS[page.kind] ?? 200))
      throw new Error(`the renderer returned status ${response.status}`)
    const text = await response.text()
    // V8 keeps the prototype of each page's `Astro` objects, which holds the locals, until a full garbage collection.
    Reflect.deleteProperty(locals, 'page')
    return text
  }
}

/** Astro imports the module of a page's route anew for each page, at a thirtieth of its time. */
function loadOnce(modules: Map<string, LoadModule>): void {
  for (const [name, load] of modules) {
    let module: Promise<unknown> | null = null
    modules.set(name, () => (module ??= load()))
  }
}
