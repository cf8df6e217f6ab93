/** A call is repeated if its answer breaks off, and an answer that is not the coordinator's is explained. */
import type { ServerResponse } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { LocalServer } from '../../../../scripts/local/local-server.ts'
import type { CoordinatorClient } from '../../../../src/builder/publish/coordinator/coordinator-client.ts'
import {
  CallError,
  createCoordinatorClient,
} from '../../../../src/builder/publish/coordinator/coordinator-client.ts'
import { LOCAL_SECRET } from '../../../support/edge/local-coordinator.ts'
import { holdClosedHost } from '../../../support/run/closed-host.ts'

async function start(answer: (response: ServerResponse) => unknown): Promise<CoordinatorClient> {
  const server = await new LocalServer((_, response) => answer(response)).start()
  onTestFinished(() => server.close())
  return createCoordinatorClient({ url: server.origin, secrets: [LOCAL_SECRET] }, { tries: 3, pause: 1 })
}

it('asks again after an answer that breaks off', async () => {
  let calls = 0
  const { renew } = await start((response) => {
    calls += 1
    response.writeHead(200, { 'content-type': 'application/json' })
    if (calls === 2) response.end('{"until":"2026-01-01T00:00:00Z"}')
    else response.write('{"until":', () => response.destroy())
  })
  expect(await renew('lease')).toBe(true)
  expect(calls).toBe(2)
})

it('ends with its own error if a busy process wakes up after the time limit', async () => {
  const url = `http://${await holdClosedHost()}`
  const { status } = createCoordinatorClient(
    { url, secrets: [LOCAL_SECRET] },
    {
      pause: 20,
      patience: 500,
      onRetry: () => {
        const end = performance.now() + 600
        while (performance.now() < end);
      },
    },
  )
  await expect(status()).rejects.toThrow(CallError)
})

it('says which setting may be wrong when a page answers in the place of the coordinator', async () => {
  const { status } = await start((response) => response.end('<!doctype html><title>Parked</title>'))
  await expect(status()).rejects.toThrow(/answered with status 200.*COORDINATOR_URL, or SITE_URL/)
})

it('names the setting of the domain when Cloudflare takes the call for a bot’s, and does not repeat it', async () => {
  let calls = 0
  const { status } = await start((response) => {
    calls += 1
    response.writeHead(403, { 'cf-mitigated': 'challenge' }).end('Just a moment...')
  })
  await expect(status()).rejects.toThrow(/answered with status 403: Cloudflare .* Bot Fight Mode/)
  expect(calls).toBe(1)
})
