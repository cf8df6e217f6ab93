/** Finds a port for a program that cannot choose a free one itself. */
import { isPortFree } from '../../src/builder/commands/local/local-edge.ts'

/** Below the ports that the system gives to outgoing connections, which could take a free port before it is used. */
const PORTS = { from: 10_000, count: 20_000 }

export async function findFreePort(): Promise<number> {
  const port = PORTS.from + Math.floor(Math.random() * PORTS.count)
  return (await isPortFree(port)) ? port : findFreePort()
}
