/** Dispatches over HTTP to targets that accept, refuse, redirect or hang. */
import type { IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { sendDispatch } from '../../../../src/edge/coordinator/dispatch/send-dispatch.ts'
import type { DispatchOutcome } from '../../../../src/edge/coordinator/dispatch/dispatch-build.ts'
import type { DispatchTarget } from '../../../../src/edge/coordinator/dispatch/dispatch-target.ts'
import { verifyMessage } from '../../../support/edge/verify-message.ts'
import { startServer } from '../../../support/run/start-server.ts'

const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`

const NOW = new Date()

function send(target: DispatchTarget, timeout = 5_000): Promise<DispatchOutcome> {
  return sendDispatch(target, { build: 'build-1', timeout, now: NOW })
}

async function sendTo(url: string, timeout?: number): Promise<DispatchOutcome> {
  return send({ kind: 'address', url, secret: SECRET }, timeout)
}

interface Received {
  method?: string
  url?: string
  headers?: IncomingHttpHeaders
  body?: string
}

async function listenOnce(status: number): Promise<{ origin: string; received: Received }> {
  const received: Received = {}
  const origin = await startServer(async (request, response) => {
    const { method, url, headers } = request
    Object.assign(received, { method, url, headers, body: await text(request) })
    response.writeHead(status).end()
  })
  return { origin, received }
}

describe('a dispatch', () => {
  it('to an address is signed like a notice, with the id of the build as message id', async () => {
    const { origin, received } = await listenOnce(200)
    expect(await sendTo(`${origin}/hook`)).toEqual({ isSent: true })
    expect([received.method, received.url]).toEqual(['POST', '/hook'])
    const headers = new Headers()
    for (const [name, value] of Object.entries(received.headers ?? {})) headers.set(name, String(value))
    const body = received.body ?? ''
    expect(await verifyMessage([SECRET], headers, body)).toBe('build-1')
    expect(JSON.parse(body)).toMatchObject({ type: 'build.wanted', data: { build: 'build-1' } })
  })

  it('to GitHub starts the workflow that rebuilds, which needs a token for Actions only', async () => {
    const { origin, received } = await listenOnce(204)
    const target = { kind: 'github', api: origin, repository: 'vitrina/site', token: 'token-canary' } as const
    expect(await send(target)).toEqual({ isSent: true })
    expect([received.method, received.url]).toEqual([
      'POST',
      '/repos/vitrina/site/actions/workflows/rebuild.yml/dispatches',
    ])
    expect(received.headers).toMatchObject({
      accept: 'application/vnd.github+json',
      authorization: 'Bearer token-canary',
      'user-agent': 'vitrina',
      'x-github-api-version': '2022-11-28',
    })
    expect(JSON.parse(received.body ?? '')).toEqual({ ref: 'main', inputs: { build: 'build-1' } })
  })

  it.each<[number, Record<string, string>, string, number]>([
    [500, {}, 'HTTP 500', 0],
    [401, {}, 'HTTP 401: the token or the signature was rejected', 0],
    [404, {}, 'HTTP 404: not found, or, at GitHub, not visible to the token', 0],
    [429, { 'retry-after': '7' }, 'HTTP 429: too many requests', 7_000],
    [503, { 'retry-after': '0' }, 'HTTP 503', 0],
    [429, { 'retry-after': '999999' }, 'HTTP 429: too many requests', 3_600_000],
    [429, { 'retry-after': 'soon' }, 'HTTP 429: too many requests', 0],
    [302, { location: 'http://127.0.0.1:1/' }, 'HTTP 302: redirects are not followed', 0],
  ])('that is answered with %i %j is not sent', async (status, headers, reason, retryAfter) => {
    const origin = await startServer((_, response) =>
      response.writeHead(status, headers).end('secret-canary'),
    )
    expect(await sendTo(origin)).toEqual({ isSent: false, reason, retryAfter })
  })

  it('reads the pause from a date and from the rate limit headers of GitHub', async () => {
    const date = new Date(NOW.getTime() + 60_000)
    const answers = [
      { 'retry-after': date.toUTCString() },
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Math.floor(date.getTime() / 1000)) },
    ]
    for (const headers of answers) {
      const origin = await startServer((_, response) => response.writeHead(403, headers).end())
      const outcome = await sendTo(origin)
      expect(outcome.isSent ? 0 : outcome.retryAfter).toBeGreaterThan(58_000)
      expect(outcome.isSent ? 0 : outcome.retryAfter).toBeLessThanOrEqual(60_000)
    }
    const unused = { 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': '9999999999' }
    const origin = await startServer((_, response) => response.writeHead(500, unused).end())
    expect(await sendTo(origin)).toMatchObject({ retryAfter: 0 })
  })

  it('fails with a reason that omits the address when the target is down or silent', async () => {
    expect(await sendTo('http://127.0.0.1:1/url-canary')).toEqual({
      isSent: false,
      reason: 'the host was unreachable',
      retryAfter: 0,
    })
    const silent = await startServer(() => {})
    expect(await sendTo(silent, 100)).toEqual({
      isSent: false,
      reason: 'no answer within 0.1 s',
      retryAfter: 0,
    })
  })

  it('never follows a redirect, which would send the signature to another host', async () => {
    const { origin: elsewhere, received } = await listenOnce(200)
    const origin = await startServer((_, response) => response.writeHead(307, { location: elsewhere }).end())
    expect(await sendTo(origin)).toMatchObject({ isSent: false })
    expect(received).toEqual({})
  })

  it('creates no request without a target', async () => {
    expect(await send({ kind: 'none', problem: null })).toMatchObject({ isSent: false })
  })
})
