/**
 * Answers visitors: pages from the store and the coordinator, pictures and files of earlier deployments from the store,
 * everything else from the assets.
 */
import { NOT_AVAILABLE } from '../../domain/messages.ts'
import type { Content } from './content.ts'
import { answerBody } from './content.ts'
import { routePage } from './route-page.ts'
import { isFilePath, readFile, routeFile } from './serve-file.ts'
import { readServedPage } from './serve-page.ts'
import type { ServeWorld } from './serve-world.ts'

/** In seconds. */
const RETRY_AFTER = '10'

export async function serve(request: Request, world: ServeWorld): Promise<Response> {
  // The assets answer other methods with an error.
  if (request.method !== 'GET' && request.method !== 'HEAD') return world.assets.fetch(request)
  const { pathname, search } = new URL(request.url)
  if (isFilePath(pathname)) return serveFile(request, pathname, world)
  const route = routePage(pathname, world.renderer.site)
  if (route === null) return world.assets.fetch(request)
  const content = await readServedPage(route, world)
  if (content?.kind === 'body') {
    // A page has one address, to which other spellings redirect. A page for unknown addresses is shown at the requested
    // address, encoded as the assets encode it.
    const own = content.status === 200 ? route.address : route.canonical
    if (own !== pathname) return redirect(own + search, 307, world)
  }
  return answer(request, content, world)
}

async function serveFile(request: Request, pathname: string, world: ServeWorld): Promise<Response> {
  const route = routeFile(pathname)
  if (route === null) return world.assets.fetch(request)
  if (!route.isAsset) return answer(request, await readFile(route, world), world)
  const present = await world.assets.fetch(request)
  if (present.status !== 404) return present
  const content = await readFile(route, world)
  return content?.kind === 'none' ? present : answer(request, content, world)
}

function answer(request: Request, content: Content | null, world: ServeWorld): Promise<Response> | Response {
  if (content === null) return answerFailure(request, world)
  if (content.kind === 'none') return world.assets.fetch(request)
  if (content.kind === 'elsewhere') return redirect(content.to, 302, world)
  return answerBody(request, content, world.renderer.headers)
}

function redirect(to: string, status: 302 | 307, { renderer }: ServeWorld): Response {
  return new Response(null, { status, headers: listHeaders(renderer, ['Location', to]) })
}

function answerFailure({ method }: Request, { renderer }: ServeWorld): Response {
  const headers = listHeaders(
    renderer,
    ['Content-Type', 'text/plain; charset=utf-8'],
    ['Retry-After', RETRY_AFTER],
    ['Cache-Control', 'no-store'],
  )
  return new Response(method === 'HEAD' ? null : NOT_AVAILABLE, { status: 503, headers })
}

function listHeaders(
  { headers, policy }: ServeWorld['renderer'],
  ...own: readonly [string, string][]
): Headers {
  return new Headers(
    [...headers, ['Content-Security-Policy', policy], ...own].map(([a, b]): [string, string] => [a, b]),
  )
}
