/** A site behind a connection that a test can turn off, stall or modify. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { LocalServer } from './local-server.ts'

interface Connection {
  /** Closes the connection of every request. */
  isOff?: boolean
  /** Pages never arrive; other files do. */
  isStuck?: boolean
  /** Replaces the status of pages. */
  status?: number
  /** Replaces the service worker file. */
  worker?: string
  /** Removes the content security policy from all responses, because it would block modified styles. */
  hasNoPolicy?: boolean
  /** Modifies pages. */
  edit?: (html: string) => string
}

export interface UnsteadySite {
  readonly origin: string
  /** Paths of all requests since the last `reset`, in order, with their query strings. */
  readonly asked: string[]
  /** Applies to later requests. */
  connection: Connection
  /** Closes all connections, removes all faults, and empties `asked`. */
  reset(): void
  close(): void
}

/** `usualWorker` replaces the service worker file unless `connection` does. By default, it is that of `source`. */
export async function openUnsteadySite(source: string, usualWorker?: string): Promise<UnsteadySite> {
  const server = await new LocalServer((request, response) => answer(request, response)).start()
  const site: UnsteadySite = {
    origin: server.origin,
    asked: [],
    connection: {},
    reset: () => {
      server.cut()
      site.connection = {}
      site.asked.length = 0
    },
    close: () => server.close(),
  }
  const answer = async ({ url = '', headers }: IncomingMessage, response: ServerResponse): Promise<void> => {
    // `reset` closed the connection while the answer was delayed.
    if (response.destroyed) return
    const { isOff, isStuck, status, hasNoPolicy, edit = (html: string) => html } = site.connection
    const { worker = usualWorker } = site.connection
    site.asked.push(url)
    if (isOff) return void response.destroy()
    const original = await fetch(source + url, { headers: { accept: headers.accept ?? '*/*' } })
    const isPage = original.headers.get('content-type')?.startsWith('text/html') === true
    if (isPage && isStuck) return
    const body = Buffer.from(await original.arrayBuffer())
    for (const [name, value] of original.headers)
      if (
        !/^(content-(encoding|length)|transfer-encoding|connection|etag|strict-transport-security)$/.test(
          name,
        )
      )
        response.setHeader(name, value)
    if (hasNoPolicy === true) response.removeHeader('content-security-policy')
    response.statusCode = isPage ? (status ?? original.status) : original.status
    const changed = url === '/service-worker.js' ? (worker ?? body) : body
    response.end(isPage ? edit(body.toString()) : changed)
  }
  return site
}
