/** Turns a page's data into its HTML through the compiled renderer. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page, PageKind, PageLocals, SitemapPage } from '../../domain/pages/page.ts'
import type { Site } from '../../domain/pages/site.ts'
import { formatHomeSitemap, formatSitemap, formatSitemapIndex } from '../../domain/pages/sitemap.ts'

/** Text, or its bytes in UTF-8. */
export type Html = string | Uint8Array

export interface Renderer {
  /** The same page gives the same bytes. Throws when the page cannot be rendered. */
  render(page: Page): Promise<Html>
}

/** What the compiled server entry offers. Source: `astro/app`, `BaseApp`. */
interface App {
  render(request: Request, options: { locals: PageLocals }): Promise<Response>
  renderError(request: Request, options: { error?: unknown; status: number }): Promise<Response>
}

interface ServerEntry {
  createApp(options: { streaming: boolean }): App
}

// A catalogue's route has a placeholder: its page is made of its data alone, whatever its id.
const ROUTES: Readonly<Record<PageKind, { path: string; status: number }>> = {
  home: { path: '/', status: 200 },
  catalogue: { path: '/catalogo/id', status: 200 },
  'unknown-catalogue': { path: '/catalogo/404', status: 200 },
  'not-found': { path: '/404', status: 404 },
}

/** `folder` holds the compiled server. `NODE_ENV` must be `production`, else React's development build runs. */
export async function loadRenderer(folder: string, site: Site): Promise<Renderer> {
  const entry: ServerEntry = await import(pathToFileURL(join(folder, 'entry.mjs')).href)
  const app = entry.createApp({ streaming: false })
  app.renderError = async (_request, { error, status }) => {
    throw error instanceof Error ? error : new Error(`the renderer answered with status ${status}`)
  }
  return {
    render: async (page) => {
      if (page.kind === 'sitemap') return renderSitemap(page, site.url)
      const { path, status } = ROUTES[page.kind]
      const response = await app.render(new Request(`http://localhost${path}`), { locals: { site, page } })
      if (response.status !== status) throw new Error(`the renderer answered with status ${response.status}`)
      // Its text would have to be encoded again, to be hashed and to be written.
      return response.bytes()
    },
  }
}

function renderSitemap(page: SitemapPage, url: string): string {
  if (page.part === 'index') return formatSitemapIndex(url, page.buckets)
  return page.part === 'home' ? formatHomeSitemap(url) : formatSitemap(url, page.sellers)
}
