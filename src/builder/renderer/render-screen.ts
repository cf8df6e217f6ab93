/** Renders a screen with a compiled renderer. */
import type { PageKind, PageLocals, ScreenPage } from '../../domain/pages/page.ts'
import type { Site } from '../../domain/pages/site.ts'
import { PAGE_PATHS } from './page-paths.ts'
import type { PlainResponse } from './plain-web.ts'
import { PlainRequest } from './plain-web.ts'

/** The app that the compiled server entry creates. Source: `astro/app`, `BaseApp`. */
export interface CompiledApp {
  render(request: PlainRequest, options: { locals: PageLocals }): Promise<PlainResponse>
  renderError(request: PlainRequest, options: { error?: unknown; status: number }): Promise<PlainResponse>
}

const OTHER_STATUS: Partial<Readonly<Record<PageKind, number>>> = { 'not-found': 404 }

/** The returned function rejects if the page cannot be rendered. */
export function createScreenRenderer(app: CompiledApp, site: Site): (page: ScreenPage) => Promise<string> {
  app.renderError = async (_request, { error, status }) => {
    throw error instanceof Error ? error : new Error(`the renderer returned status ${status}`)
  }
  return async (page) => {
    const request = new PlainRequest(`http://localhost${PAGE_PATHS[page.kind]}`)
    const locals: PageLocals = { site, page }
    const response = await app.render(request, { locals })
    if (response.status !== (OTHER_STATUS[page.kind] ?? 200))
      throw new Error(`the renderer returned status ${response.status}`)
    const text = await response.text()
    // V8 keeps the prototype of each page's `Astro` objects, which holds the locals, until a full garbage collection.
    Reflect.deleteProperty(locals, 'page')
    return text
  }
}
