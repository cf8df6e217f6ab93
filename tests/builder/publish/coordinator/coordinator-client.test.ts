/** How the client repeats calls, and what it makes of answers. `tests/edge/coordinator` has the real coordinator. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { LocalServer } from '../../../../scripts/audit/local-server.ts'
import type { CoordinatorClient } from '../../../../src/builder/publish/coordinator/coordinator-client.ts'
import {
  CallError,
  createCoordinatorClient,
  createToken,
} from '../../../../src/builder/publish/coordinator/coordinator-client.ts'
import { waitForWake } from '../../../../src/builder/publish/coordinator/wait-for-wake.ts'
import { LARGEST_BODY, parseCall } from '../../../../src/domain/wire/calls.ts'
import { startServer } from '../../../support/run/servers.ts'

const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`

interface Call {
  readonly path: string
  readonly token: string | undefined
  readonly body: string
}

/** A client of a server that answers with these, in turn, and then with the last. */
async function openClient(
  ...answers: readonly ((response: ServerResponse) => unknown)[]
): Promise<{ client: CoordinatorClient; calls: readonly Call[] }> {
  const calls: Call[] = []
  const server = await new LocalServer(async (request: IncomingMessage, response) => {
    const { url: path = '', headers } = request
    calls.push({ path, token: headers.authorization, body: await text(request) })
    await answers[Math.min(calls.length, answers.length) - 1]?.(response)
  }).start()
  onTestFinished(() => server.close())
  const address = { url: server.origin, secrets: { notice: [], rebuild: [SECRET] } }
  return { client: createCoordinatorClient(address, { tries: 4, pause: 1 }), calls }
}

const answer =
  (status: number, body: object) =>
  (response: ServerResponse): unknown =>
    response.writeHead(status).end(JSON.stringify(body))
const breakOff = (response: ServerResponse): unknown =>
  response.writeHead(200).write('{"upTo":', () => response.destroy())

it('a claim is repeated with the same token after failures, and a lease counts from when it was asked for', async () => {
  const lease = { seconds: 120, live: null }
  const slow = (body: object) => async (response: ServerResponse) => {
    await new Promise((resolve) => void setTimeout(resolve, 300))
    return answer(200, body)(response)
  }
  const granted = slow({ ...lease, upTo: 7, sellers: ['ana'] })
  const { client, calls } = await openClient(breakOff, answer(503, {}), granted, slow(lease))
  const start = Date.now()
  const claim = await client.claim(createToken(), 'builder', 3)
  expect(claim).toMatchObject({ upTo: 7, sellers: ['ana'] })
  expect(claim.until).toBeGreaterThanOrEqual(start + 120_000)
  expect(claim.until).toBeLessThanOrEqual(Date.now() + 120_000 - 290)
  expect(calls).toHaveLength(3)
  expect(new Set(calls.map(({ body }) => body)).size).toBe(1)
  expect((await client.renew('token'))?.until).toBeLessThanOrEqual(Date.now() + 120_000 - 290)
})

it('a refused claim says who is busy or holds publishing, and a refused renewal that the lease has ended', async () => {
  const busy = { busy: '2026-01-01T00:00:00Z' }
  const { client } = await openClient(
    answer(409, busy),
    answer(409, { held: 'why' }),
    answer(409, { error: '' }),
  )
  expect(await client.claim(createToken(), 'builder', null)).toMatchObject(busy)
  expect(await client.claim(createToken(), 'builder', null)).toMatchObject({ held: 'why' })
  expect(await client.renew('token')).toBeNull()
  expect(await client.done('token', { upTo: 1, marker: 'run', failed: [] })).toBeNull()
})

it('a report has as many failed sellers as fit, with the token of the lease', async () => {
  const { client, calls } = await openClient(answer(200, { waiting: 2 }))
  const failed = Array.from({ length: 900 }, (_, seller) => ({
    seller: `s${seller}`,
    reason: 'ñ'.repeat(300),
  }))
  expect(await client.done('token', { upTo: 1, marker: 'run', failed })).toBe(2)
  const [{ token, body } = { token: '', body: '' }] = calls
  expect(token).toBe('Bearer token')
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(LARGEST_BODY)
  expect(parseCall('done', JSON.parse(body))).toMatchObject({ marker: 'run' })
})

it.each<[string, (response: ServerResponse) => unknown, number]>([
  ['a page in the place of the coordinator', (response) => response.end('<!doctype html>'), 1],
  ['a refused signature', answer(401, {}), 1],
  ['a coordinator that cannot store', answer(503, {}), 4],
])('rejects for %s', async (_, respond, tries) => {
  const { client, calls } = await openClient(respond)
  await expect(client.status()).rejects.toThrow(CallError)
  expect(calls).toHaveLength(tries)
})

it('a builder that waits connects again when its connection breaks', async () => {
  let asked = 0
  const url = await startServer((_, response) => {
    asked += 1
    response.writeHead(503).end()
  })
  onTestFinished(waitForWake({ url, secrets: { notice: [], rebuild: [SECRET] } }, () => {}))
  await expect.poll(() => asked).toBeGreaterThan(1)
})
