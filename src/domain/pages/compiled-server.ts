/** The contract between a compiled renderer and its hosts: builders, and the Worker. */
import type { ScreenPage } from './page.ts'
import type { Site } from './site.ts'

/** The exports of src/builder/renderer/server-entry.ts, compiled. `Request` is the class of the host. */
export interface CompiledServer<Request> {
  createRenderer(site: Site, createRequest: CreateRequest<Request>): RenderScreen
}

/** Receives an absolute address. */
export type CreateRequest<Request> = (url: string) => Request

/** The same page gives the same text. Rejects if the page cannot be rendered. */
export type RenderScreen = (page: ScreenPage) => Promise<string>
