/** The sample site over a slow connection: each page arrives in two parts, the second one when the test says so. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SlowSite {
  readonly origin: string
  /** Sends the second parts, of later pages too. */
  finish(): void
  close(): void
}

/** `cut` returns where the second part of a page begins. */
export async function openSlowSite(source: string, cut: (html: string) => number): Promise<SlowSite> {
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>()
  const server = createServer((request, response) => void answer(request, response))
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const original = await fetch(source + (request.url ?? ''))
    const body = await original.text()
    response.writeHead(original.status, { 'content-type': original.headers.get('content-type') ?? '' })
    if (body.startsWith('<!DOCTYPE html>')) {
      response.write(body.slice(0, cut(body)))
      await finished
      response.end(body.slice(cut(body)))
    } else response.end(body)
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, finish, close: () => server.close() }
}
