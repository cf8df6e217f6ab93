/** A proxy before a server. It changes requests and answers, as another service would. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { formatOrigin } from '../../../scripts/local/local-server.ts'

interface Altered {
  /** Returns the address that is asked instead. */
  request(url: string): string
  /** Returns the text that is answered instead. */
  answer(url: string, text: string): string
}

export async function startAlteringProxy(
  target: string,
  altered: Altered,
): Promise<{ readonly origin: string; close(): void }> {
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
  return {
    origin: formatOrigin(server),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
