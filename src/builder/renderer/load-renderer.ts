/** Loads a compiled renderer, which turns the data of a page into its bytes. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CompiledApp } from '../../domain/pages/compiled-app.ts'
import type { ScreenPage } from '../../domain/pages/page.ts'
import type { Site } from '../../domain/pages/site.ts'
import type { PageText, renderInPieces } from './page-pieces.ts'
import type { PlainRequest } from './plain-web.ts'
import { installPlainWeb } from './plain-web.ts'
import { createScreenRenderer } from './render-screen.ts'

export interface Renderer {
  /** The same page gives the same text. Rejects if the page cannot be rendered. */
  render(page: ScreenPage): Promise<PageText>
}

interface ServerEntry {
  createApp(options: { streaming: boolean }): CompiledApp<PlainRequest>
  readonly renderInPieces: typeof renderInPieces
}

/** `folder` is that of the compiled server. `NODE_ENV` must be `production`, else React's development build runs. */
export async function loadRenderer(folder: string, site: Site): Promise<Renderer> {
  installPlainWeb()
  const entry: ServerEntry = await import(pathToFileURL(join(folder, 'entry.mjs')).href)
  const render = createScreenRenderer(entry.createApp({ streaming: false }), site)
  return { render: (page) => entry.renderInPieces(() => render(page)) }
}
