/** A proxy before a server. It changes requests and answers, as another service would. */
import { startServer } from '../run/start-server.ts'

interface Altered {
  /** Returns the address that is asked instead. */
  request(url: string): string
  /** Returns the text that is answered instead. */
  answer(url: string, text: string): string
}

/** Returns the origin of the proxy, which closes when the running test ends. */
export function startAlteringProxy(target: string, altered: Altered): Promise<string> {
  return startServer(async (incoming, outgoing) => {
    const url = incoming.url ?? '/'
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).filter(([name]) => name !== 'host' && name !== 'connection'),
    ) as Record<string, string>
    const response = await fetch(target + altered.request(url), { headers, redirect: 'manual' })
    const text = altered.answer(url, await response.text())
    const kept = [...response.headers].filter(([name]) => ['etag', 'location', 'x-probe'].includes(name))
    outgoing.writeHead(response.status, Object.fromEntries(kept)).end(text)
  })
}
