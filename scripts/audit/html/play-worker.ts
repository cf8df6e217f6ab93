/** Runs a site's service worker outside a browser, for the pages that it shows when there is no network. */
import { createContext, runInContext } from 'node:vm'

export interface OfflinePages {
  /** The kept page of the given path, with its date. */
  readonly kept: string
  /** The page that the service worker answers with when it has kept none. */
  readonly plain: string
}

type Handler = (event: object) => void

const ORIGIN = 'http://site.invalid'

/**
 * `read` returns the page of a path. Returns `null` if the worker answers no requests, because it is switched off.
 */
export async function playWorker(
  worker: string,
  path: string,
  read: (path: string) => string,
): Promise<OfflinePages | null> {
  const handlers = new Map<string, Handler>()
  let isOff = false
  const fetchPage = async (address: string | { readonly url: string }): Promise<Response> => {
    if (isOff) throw new TypeError('there is no network')
    const url = new URL(typeof address === 'string' ? address : address.url, ORIGIN)
    return new Response(read(url.pathname), { headers: { 'content-type': 'text/html' } })
  }
  const windows = [{ url: ORIGIN + path }]
  runInContext(worker, createContext(createScope({ handlers, fetch: fetchPage, windows })))
  const respond = handlers.get('fetch')
  if (respond === undefined) return null
  await waitFor(handlers.get('install'))
  isOff = true
  return { kept: await visit(respond, path), plain: await visit(respond, '/never-seen') }
}

/** The parts of a service worker's global scope that the worker uses. */
function createScope(parts: {
  readonly handlers: Map<string, Handler>
  readonly fetch: (address: string) => Promise<Response>
  readonly windows: readonly { readonly url: string }[]
}): object {
  const kept = new Map<string, string>()
  const headers = new Map<string, Headers>()
  const cache = {
    put: async (path: string, response: Response) => {
      kept.set(path, await response.text())
      headers.set(path, response.headers)
    },
    match: async (path: string) => {
      const html = kept.get(path)
      return html === undefined ? undefined : new Response(html, { headers: headers.get(path) ?? [] })
    },
    keys: async () => [...kept.keys()].map((path) => ({ url: ORIGIN + path })),
    delete: async (path: string) => kept.delete(path),
  }
  return {
    Headers,
    Response,
    URL,
    fetch: parts.fetch,
    addEventListener: (name: string, handler: Handler) => parts.handlers.set(name, handler),
    location: { origin: ORIGIN },
    skipWaiting: () => {},
    clients: { matchAll: async () => parts.windows },
    caches: { open: async () => cache },
    setTimeout: (end: (value: unknown) => void, time: number, value: unknown) =>
      setTimeout(end, time, value).unref(),
  }
}

async function waitFor(handler: Handler | undefined): Promise<void> {
  const waits: Promise<unknown>[] = []
  handler?.({ waitUntil: (promise: Promise<unknown>) => waits.push(promise) })
  await Promise.all(waits)
}

async function visit(respond: Handler, path: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const request = { method: 'GET', mode: 'navigate', cache: 'default', url: ORIGIN + path }
  respond({ request, respondWith: resolve, waitUntil: () => {} })
  return (await promise).text()
}
