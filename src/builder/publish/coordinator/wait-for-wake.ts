/** Waits for the coordinator on a WebSocket, which is connected again whenever it breaks. */
import { randomUUID } from 'node:crypto'
import { growDelay } from '../../../domain/work/backoff.ts'
import { PREFIX, WAIT } from '../../../domain/wire/calls.ts'
import { signMessage } from '../../../domain/wire/signature.ts'
import type { CoordinatorAddress } from './coordinator-client.ts'

type HeaderSocket = new (url: string, options: { headers: Record<string, string> }) => WebSocket

/** Node's WebSocket takes headers, which the types of browsers do not know. */
const Socket = WebSocket as unknown as HeaderSocket

const PING = 30_000
const PAUSE = { first: 1_000, longest: 60_000 }

/**
 * Calls `onWake` when the coordinator wants a build, and after each connection, because a wish may have been missed
 * before it. Returns a function that ends the wait.
 */
export function waitForWake({ url, secrets }: CoordinatorAddress, onWake: () => void): () => void {
  let failures = 0
  let isEnded = false
  let end: () => void = () => {}
  const connect = (): void => {
    const headers = signMessage(secrets.rebuild, { id: `wait_${randomUUID()}`, body: '' }, new Date())
    const socket = new Socket(`${url.replace(/^http/, 'ws')}${PREFIX}${WAIT.path}`, { headers })
    let isAlive = true
    const ping = setInterval(() => {
      if (!isAlive) return socket.close()
      isAlive = false
      if (socket.readyState === socket.OPEN) socket.send(WAIT.ping)
    }, PING)
    socket.addEventListener('open', () => {
      failures = 0
      onWake()
    })
    socket.addEventListener('message', ({ data }) => {
      isAlive = true
      if (data === WAIT.wake) onWake()
    })
    socket.addEventListener('close', () => {
      clearInterval(ping)
      if (isEnded) return
      failures += 1
      const timer = setTimeout(connect, growDelay(PAUSE, failures, Math.random()))
      end = () => clearTimeout(timer)
    })
    end = () => socket.close()
  }
  connect()
  return () => {
    isEnded = true
    end()
  }
}
