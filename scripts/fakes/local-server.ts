/** Servers on this machine in place of others, and their addresses. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown

let waitBefore: () => Promise<unknown> = async () => {}

/** Every stand-in of this process calls `wait` before each answer. */
export function delayAnswers(wait: () => Promise<unknown>): void {
  waitBefore = wait
}

/** For a server that notes what it receives before it answers. */
export async function beforeAnswer(): Promise<void> {
  await waitBefore()
}

export function createLocalServer(answer: Answer): Server {
  return createServer(async (request, response) => {
    await beforeAnswer()
    await answer(request, response)
  })
}

/** Empty before the server listens. */
export function formatOrigin(server: Server): string {
  const address = server.address()
  return typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : ''
}
