/** The contract between a compiled renderer and its hosts: builders, and the Worker. */
import type { ScreenPage } from './page.ts'
import type { Site } from './site.ts'

/**
 * The exports of the compiled src/builder/renderer/server-entry.ts that every host uses. `Request` is the request class
 * of the host.
 */
export interface CompiledServer<Request> {
  createRenderer(site: Site, createRequest: CreateRequest<Request>): RenderScreen
}

/** Creates a request for an absolute address. */
export type CreateRequest<Request> = (url: string) => Request

/** Returns the HTML of a page. The same page always gives the same HTML. Rejects if the page cannot be rendered. */
export type RenderScreen = (page: ScreenPage) => Promise<string>
