/** Renders a screen with a compiled renderer in this process, without Node's own web classes. */
import type { CompiledApp } from '../../domain/pages/compiled-app.ts'
import { createAppRenderer } from '../../domain/pages/compiled-app.ts'
import type { ScreenPage } from '../../domain/pages/page.ts'
import type { Site } from '../../domain/pages/site.ts'
import { PlainRequest } from './plain-web.ts'

/** The returned function rejects if the page cannot be rendered. */
export function createScreenRenderer(
  app: CompiledApp<PlainRequest>,
  site: Site,
): (page: ScreenPage) => Promise<string> {
  return createAppRenderer(app, site, (url) => new PlainRequest(url))
}
