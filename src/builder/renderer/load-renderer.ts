/** Loads a compiled renderer, which turns the data of a page into its HTML. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ScreenPage } from '../../domain/pages/page.ts'
import type { Site } from '../../domain/pages/site.ts'
import { installPlainWeb } from './cold-start.ts'

export interface Renderer {
  /** Returns the HTML of a page, in pieces, the same for the same page. Rejects if the page cannot be rendered. */
  render(page: ScreenPage): Promise<readonly string[]>
}

/** `folder` has the compiled server. Rejects if its entry is damaged. */
export async function loadRenderer(folder: string, site: Site): Promise<Renderer> {
  installPlainWeb()
  const entry: { createRenderer(site: Site): Renderer } = await import(
    pathToFileURL(join(folder, 'entry.mjs')).href
  )
  return entry.createRenderer(site)
}
