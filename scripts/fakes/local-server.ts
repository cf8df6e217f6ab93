/** Addresses of servers on this machine. */
import type { Server } from 'node:http'

/** Empty before the server listens. */
export function formatOrigin(server: Server): string {
  const address = server.address()
  return typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : ''
}
