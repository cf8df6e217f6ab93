/** An HTTP server for one test. */
import { onTestFinished } from 'vitest'
import { LocalServer } from '../../../scripts/local/local-server.ts'

/** Returns the origin of a server that closes when the running test ends, even if requests are unanswered. */
export async function startServer(answer: ConstructorParameters<typeof LocalServer>[0]): Promise<string> {
  const server = await new LocalServer(answer).start()
  onTestFinished(() => server.close())
  return server.origin
}
