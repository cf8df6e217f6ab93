/** Renders a screen with a compiled renderer in this process, without Node's own web classes. */
import { randomUUID } from 'node:crypto'
import type { CompiledServer } from '../../../domain/pages/compiled-server.ts'
import type { ScreenPage } from '../../../domain/pages/page.ts'
import type { Site } from '../../../domain/pages/site.ts'
import type { PageText, renderInPieces } from './page-pieces.ts'
import { PlainRequest } from './plain-web.ts'

/** The exports of server-entry.ts, compiled. */
export interface ServerEntry extends CompiledServer<PlainRequest> {
  readonly renderInPieces: typeof renderInPieces
}

/** Random text that marks the places of pieces while a page is rendered. It is never in the page's bytes. */
const MARK = randomUUID()

/** The returned function rejects if the page cannot be rendered. */
export function createScreenRenderer(
  entry: ServerEntry,
  site: Site,
): (page: ScreenPage) => Promise<PageText> {
  const render = entry.createRenderer(site, (url) => new PlainRequest(url))
  return (page) => entry.renderInPieces(() => render(page), MARK)
}
