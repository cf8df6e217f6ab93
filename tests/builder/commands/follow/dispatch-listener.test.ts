/** The listener of a builder that ends. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { trackHealth } from '../../../../src/builder/commands/follow/builder-health.ts'
import { listen } from '../../../../src/builder/commands/follow/dispatch-listener.ts'

/** Limit for what would hang, in milliseconds. */
const PATIENCE = 30_000

it('ends connections whose request never ends, which would keep the builder running', async () => {
  const { read } = trackHealth()
  const options = { host: '127.0.0.1', port: 0, secrets: [], onDispatch: () => {}, readHealth: read }
  const listener = await listen(options)
  const socket = connect(Number(new URL(listener.url).port), '127.0.0.1')
  await once(socket, 'connect')
  // The headers of this request have no end.
  socket.write('POST / HTTP/1.1\r\nhost: localhost\r\n')
  // The answer to a later request shows that the server has read the open one.
  await fetch(`${listener.url}/health`)
  const closed = once(socket, 'close', { signal: AbortSignal.timeout(PATIENCE) })
  listener.close()
  await expect(closed).resolves.toBeDefined()
})
