/** Loads a compiled renderer, which turns the data of a page into its HTML. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ScreenPage } from '../../domain/pages/page.ts'
import type { Site } from '../../domain/pages/site.ts'
import type { PageText } from './fast/page-pieces.ts'
import { installPlainWeb } from './fast/plain-web.ts'
import type { ServerEntry } from './fast/render-screen.ts'
import { createScreenRenderer } from './fast/render-screen.ts'

export interface Renderer {
  /** The same page gives the same text. Rejects if the page cannot be rendered. */
  render(page: ScreenPage): Promise<PageText>
}

/**
 * `folder` has the compiled server. `NODE_ENV` must be `production`, because otherwise React's development build runs.
 */
export async function loadRenderer(folder: string, site: Site): Promise<Renderer> {
  installPlainWeb()
  const entry: ServerEntry = await import(pathToFileURL(join(folder, 'entry.mjs')).href)
  return { render: createScreenRenderer(entry, site) }
}
