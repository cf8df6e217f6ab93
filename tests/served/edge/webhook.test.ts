/** The API on the real runtime: every row of the table of answers. A refused call stores nothing. */
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { request as openRequest } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { LARGEST_BODY } from '../../../src/domain/wire/bodies.ts'
import { signMessage } from '../../../src/domain/wire/signature.ts'
import { CoordinatedSite, createNotice, PREVIOUS, SECRET } from './coordinated-site.ts'

const SECOND = 1_000

let site: CoordinatedSite
beforeAll(async () => {
  site = new CoordinatedSite({ REBUILD_QUIET_MS: '100', DISPATCH_GITHUB_REPOSITORY: 'vitrina/site' })
  await site.start()
})
afterAll(() => site.close())

describe('a notice', () => {
  it('is stored and counted once, for any number of deliveries with any valid secret', async () => {
    const first = await site.notify(['a', 'b', 'a'], { id: 'first' })
    expect([first.status, first.body]).toEqual([202, { accepted: 2, pending: 2 }])
    for (const secret of [SECRET, PREVIOUS]) {
      const again = await site.notify(['a', 'b', 'a'], { id: 'first', secret })
      expect([again.status, again.body]).toEqual([202, { accepted: 0, pending: 2 }])
    }
    expect((await site.notify(['b', '__proto__'])).body).toEqual({ accepted: 2, pending: 3 })
  })

  it('counts once when it is delivered many times concurrently', async () => {
    const { pending } = await site.status()
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => site.notify(['parallel'], { id: 'parallel' })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
    expect(answers.filter(({ body }) => body['accepted'] === 1)).toHaveLength(1)
    expect((await site.status()).pending).toBe(pending + 1)
  })

  it('may be signed up to five minutes before or after now', async () => {
    for (const seconds of [-200, 299]) {
      const time = new Date(Date.now() + seconds * SECOND)
      expect((await site.notify(['a'], { time })).status).toBe(202)
    }
  })

  it('of the nightly trigger requests a full read', async () => {
    expect((await fetch(`${site.origin}/cdn-cgi/local/scheduled`)).status).toBe(200)
    expect(await site.status()).toMatchObject({ full: true })
  })
})

describe('refused, without any stored change, is', () => {
  let before = 0
  let slow: ReturnType<typeof sendSlowly>
  // The others are refused meanwhile.
  beforeAll(() => {
    slow = sendSlowly()
  })
  beforeEach(async () => {
    before = (await site.status()).sequence
  })
  afterEach(async () => {
    if ((await site.status()).sequence !== before) throw new Error('something was stored')
  })

  it.each(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])('%s: 405', async (method) => {
    const { status, headers } = await site.send('', { method })
    expect([status, headers.get('allow')]).toEqual([405, 'POST'])
  })

  it('a body that is not JSON: 415', async () => {
    const headers = { 'content-type': 'text/plain' }
    expect(await site.notify(['a'], { headers })).toMatchObject({
      status: 415,
      body: { error: 'send application/json' },
    })
  })

  it('a body of 1 MB, with or without a content-length: 413', async () => {
    const told = await sendUnended({ 'content-length': 1024 * 1024 }, 'x')
    expect(told).toEqual([413, '{"error":"the body is too large"}'])
    const [status] = await sendUnended({ 'transfer-encoding': 'chunked' }, 'x'.repeat(LARGEST_BODY + 1))
    expect(status).toBe(413)
  })

  it('a call without a signature, or with one for another time, secret or body: 401', async () => {
    const body = JSON.stringify(createNotice(['forged']))
    const signed = signMessage([SECRET], { id: 'forged', body }, new Date())
    const unsigned = { 'content-type': 'application/json' }
    const calls: Promise<{ status: number; body: unknown }>[] = [
      site.send('', { method: 'POST', headers: unsigned, body }),
      ...[-301, 400].map((seconds) => site.notify(['a'], { time: new Date(Date.now() + seconds * SECOND) })),
      site.notify(['a'], { secret: `whsec_${Buffer.alloc(24).toString('base64')}` }),
      ...['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
        site.notify(['a'], { headers: { [name]: '' } }),
      ),
      ...[0, 10, body.length - 1].map((at) =>
        site.send('', {
          method: 'POST',
          headers: signed,
          body: `${body.slice(0, at)}${String.fromCharCode(body.charCodeAt(at) ^ 1)}${body.slice(at + 1)}`,
        }),
      ),
    ]
    for (const answer of await Promise.all(calls))
      expect([answer.status, answer.body]).toEqual([401, { error: 'unauthorized' }])
  })

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('%s sent twice: 401', async (name) => {
    const body = JSON.stringify(createNotice(['doubled']))
    const headers = Object.entries(signMessage([SECRET], { id: 'doubled', body }, new Date()))
    const again = headers.filter(([one]) => one === name)
    const others = [
      ['host', new URL(site.origin).host],
      ['content-length', String(body.length)],
    ]
    const request = openRequest(`${site.origin}/api/rebuild`, {
      method: 'POST',
      headers: [...headers, ...again, ...others].flat(),
    })
    request.end(body)
    const [response] = await once(request, 'response')
    expect([response.statusCode, await text(response)]).toEqual([401, '{"error":"unauthorized"}'])
  })

  it.each([
    '{',
    '[]',
    'null',
    '{}',
    '{"type":"catalogue.changed","timestamp":"","data":{"sellers":[]}}',
    '{"type":"catalogue.changed","timestamp":"","data":{"sellers":["a"],"__proto__":{"sellers":["b"]}}}',
    '{"__proto__":{"type":"catalogue.rebuild","timestamp":"","data":{"full":true}}}',
    `{"type":"catalogue.changed","timestamp":"","data":{"sellers":${JSON.stringify(Array.from({ length: 1001 }, () => 'a'))}}}`,
    '['.repeat(60_000),
  ])('a signed but malformed call: 400', async (body) => {
    expect(await site.call('', body)).toMatchObject({ status: 400, body: { error: 'malformed' } })
  })

  it('a call signed for another purpose: 400', async () => {
    for (const path of ['/claim', '/renew', '/done', '/status'])
      expect((await site.call(path, createNotice(['a']))).status).toBe(400)
    expect((await site.call('', { builder: 'b', have: null })).status).toBe(400)
  })

  it('a call to an unknown path: 404', async () => {
    for (const path of ['/', '/claims', '/../rebuilds']) {
      const { status, body } = await site.call(path, {})
      expect([status, body]).toEqual([404, { error: 'not found' }])
    }
  })

  it('a body that arrives too slowly: 408 after ten seconds', async () => {
    const { answer, seconds } = await slow
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    expect(seconds).toBeGreaterThan(9)
  })
})

describe('the answers', () => {
  it('contain no secret', async () => {
    await site.status()
    expect(site.answers.length).toBeGreaterThan(50)
    for (const secret of [SECRET, PREVIOUS]) {
      expect(site.answers.join('\n')).not.toContain(secret.slice('whsec_'.length))
    }
  })

  it('name the invalid setting', async () => {
    expect((await site.status()).problems).toEqual(['DISPATCH_GITHUB_TOKEN is not set'])
  })
})

describe('a site that cannot store', () => {
  let broken: CoordinatedSite
  afterEach(() => broken.close())

  it('answers 503 with a retry-after header and without the reason', async () => {
    broken = new CoordinatedSite()
    await broken.start()
    expect((await broken.notify(['a'])).status).toBe(202)
    await broken.kill()
    spoilDatabases(broken.state)
    await broken.restart()
    const { status, headers, body } = await broken.notify(['b'])
    expect([status, headers.get('retry-after')]).toEqual([503, '10'])
    expect(body).toEqual({ error: 'not stored, send it again' })
  })
})

/** Sends the beginning of a body. A client that goes on when it is refused may lose the answer. */
async function sendUnended(headers: OutgoingHttpHeaders, body: string): Promise<readonly [number, string]> {
  const request = openRequest(`${site.origin}/api/rebuild`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    agent: false,
  })
  request.write(body)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const answer = [response.statusCode ?? 0, await text(response)] as const
  request.destroy()
  return answer
}

/** Sends a body without an end, and resolves to the answer. */
async function sendSlowly(): Promise<{ readonly answer: string; readonly seconds: number }> {
  const { hostname, port } = new URL(site.origin)
  const socket = connect(Number(port), hostname)
  const start = performance.now()
  socket.write(
    'POST /api/rebuild HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{',
  )
  const drip = setInterval(() => socket.write(' '), 500)
  const [first] = await once(socket, 'data')
  clearInterval(drip)
  socket.destroy()
  return { answer: String(first), seconds: (performance.now() - start) / SECOND }
}

function spoilDatabases(state: string): void {
  const folder = join(state, 'do')
  const files = readdirSync(folder, { recursive: true }).map(String)
  const databases = files.filter((file) => /[0-9a-f]{64}\.sqlite/.test(file))
  if (databases.length === 0) throw new Error(`no database in ${folder}: ${files.join(', ')}`)
  for (const file of databases) writeFileSync(join(folder, file), 'no database any more'.repeat(1_000))
}
