/** A proxy before a server. It changes requests and answers, as another service would. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { onTestFinished } from 'vitest'
import { formatOrigin } from '../../../scripts/local/local-server.ts'

interface Altered {
  /** Returns the address that is asked instead. */
  request(url: string): string
  /** Returns the text that is answered instead. */
  answer(url: string, text: string): string
}

/**
 * Returns the origin of the proxy, which closes when the running test ends. It is no `LocalServer`, because that one
 * answers late when the tests run with slow stand-ins, and a probe sends hundreds of requests.
 */
export async function startAlteringProxy(target: string, altered: Altered): Promise<string> {
  const server = createServer(async (incoming, outgoing) => {
    const url = incoming.url ?? '/'
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).filter(([name]) => name !== 'host' && name !== 'connection'),
    ) as Record<string, string>
    try {
      const response = await fetch(target + altered.request(url), { headers, redirect: 'manual' })
      const text = altered.answer(url, await response.text())
      const kept = [...response.headers].filter(([name]) => ['etag', 'location', 'x-probe'].includes(name))
      outgoing.writeHead(response.status, Object.fromEntries(kept)).end(text)
    } catch {
      outgoing.destroy()
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return formatOrigin(server)
}
