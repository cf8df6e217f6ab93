/** The sample site over a slow connection: each page arrives in two parts, the second one when the test says so. */
import { startServer } from '../run/servers.ts'

export interface SlowSite {
  readonly origin: string
  /** Sends the second parts, of later pages too. */
  finish(): void
}

/** `cut` returns where the second part of a page begins. The site closes when the running test ends. */
export async function openSlowSite(source: string, cut: (html: string) => number): Promise<SlowSite> {
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>()
  const origin = await startServer(async (request, response) => {
    const original = await fetch(source + (request.url ?? ''))
    const body = await original.text()
    response.writeHead(original.status, { 'content-type': original.headers.get('content-type') ?? '' })
    if (body.startsWith('<!DOCTYPE html>')) {
      response.write(body.slice(0, cut(body)))
      await finished
      response.end(body.slice(cut(body)))
    } else response.end(body)
  })
  return { origin, finish }
}
