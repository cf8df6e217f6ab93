/** The API on the real runtime: how it reads requests, and stores. `tests/edge/api` has every answer. */
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { request as openRequest } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { LARGEST_BODY } from '../../../src/domain/wire/call.ts'
import { signMessage } from '../../../src/domain/wire/signature.ts'
import { CoordinatedSite, createNotice, PREVIOUS, SITE_SECRET } from './coordinated-site.ts'

const SECOND = 1_000
const OTHER = `whsec_${Buffer.alloc(24).toString('base64')}`

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
    for (const secret of [SITE_SECRET, PREVIOUS]) {
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

  it('of the nightly trigger requests a full read', async () => {
    expect((await fetch(`${site.origin}/cdn-cgi/local/scheduled`)).status).toBe(200)
    expect(await site.status()).toMatchObject({ full: true })
  })
})

describe('while 60 unknown callers hold connections with bodies of 4 MiB', () => {
  const path = '/claim'
  const size = { 'content-length': String(4 * 1024 * 1024) }
  const chunked = { 'transfer-encoding': 'chunked' }
  const piece = 'x'.repeat(64 * 1024 - 1)

  it('those without a signature get 401 before they send, and notices are stored', async () => {
    const all = Promise.all(Array.from({ length: 60 }, () => sendUnended(size, 'x', path)))
    const [answers, { status }] = await Promise.all([all, site.notify(['meanwhile'])])
    expect(status).toBe(202)
    for (const answer of answers) expect(answer).toEqual([401, '{"error":"unauthorized"}'])
  })

  it('the first of those with forged headers are dropped, and notices of any sender are stored', async () => {
    // Well formed, but the secret is another. A signature is too old after five minutes.
    const forged = signMessage([OTHER], { id: 'forged', body: '{}' }, new Date())
    const all = Array.from({ length: 66 }, () => openCall({ ...forged, ...chunked }, path))
    // An answer that arrives while no listener is attached is lost.
    const dropped = all.map(async (one) => {
      const [status] = await readAnswer(one)
      if (status !== 503) throw new Error(`the answer was ${status}`)
    })
    const first = Promise.any(dropped)
    // At once: none is dropped unless nearly all are open at a time, and each is refused after ten seconds.
    await Promise.all(all.map((one) => new Promise((resolve) => one.write(piece, resolve))))
    expect((await site.notify(['meanwhile'])).status).toBe(202)
    const standard = { headers: { 'vitrina-head-signature': '' } }
    expect((await site.notify(['meanwhile'], standard)).status).toBe(202)
    // A dropped caller gets its answer when it sends more.
    for (const one of all) one.write('x')
    await first
    for (const one of all) one.destroy()
    await Promise.allSettled(dropped)
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

  it('a body of 1 MB, with or without a content-length: 413', async () => {
    const signed = signMessage([SITE_SECRET], { id: 'large', body: '' }, new Date())
    const told = await sendUnended({ ...signed, 'content-length': 1024 * 1024 }, 'x')
    expect(told).toEqual([413, '{"error":"the body is too large"}'])
    const chunked = { ...signed, 'transfer-encoding': 'chunked' }
    expect(await sendUnended(chunked, 'x'.repeat(LARGEST_BODY + 1))).toEqual(told)
  })

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('%s sent twice: 401', async (name) => {
    const body = JSON.stringify(createNotice(['doubled']))
    const headers = Object.entries(signMessage([SITE_SECRET], { id: 'doubled', body }, new Date()))
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

  it('a signed body of very deep brackets: 400', async () => {
    const body = '['.repeat(60_000)
    expect(await site.call('', body)).toMatchObject({ status: 400, body: { error: 'malformed' } })
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
    for (const secret of [SITE_SECRET, PREVIOUS]) {
      expect(site.answers.join('\n')).not.toContain(secret.slice('whsec_'.length))
    }
  })

  it('name the invalid setting', async () => {
    expect((await site.status()).problems).toEqual(['DISPATCH_GITHUB_TOKEN is not set'])
  })
})

it('a network with too many refused calls is blocked, but not its signed ones', async () => {
  const refuse = async (): Promise<number> => (await site.notify(['a'], { secret: OTHER })).status
  const seen = new Set<number>()
  for (let round = 0; round < 30 && !seen.has(429); round += 1)
    for (const status of await Promise.all(Array.from({ length: 10 }, refuse))) seen.add(status)
  expect(seen).toEqual(new Set([401, 429]))
  expect((await site.notify(['a'])).status).toBe(202)
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
    expect(body).toEqual({ error: 'the call failed, send it again' })
  })
})

/** Sends the beginning of a body, best in one piece: a client that goes on when it is refused may lose the answer. */
async function sendUnended(
  headers: OutgoingHttpHeaders,
  body: string,
  path = '',
): Promise<readonly [number, string]> {
  const request = openCall(headers, path)
  request.write(body)
  return readAnswer(request)
}

function openCall(headers: OutgoingHttpHeaders, path: string): ClientRequest {
  const request = openRequest(`${site.origin}/api/rebuild${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    agent: false,
  })
  // The runtime closes the connection of a body that it does not read.
  return request.on('error', () => {})
}

async function readAnswer(request: ClientRequest): Promise<readonly [number, string]> {
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
  const signed = signMessage([SITE_SECRET], { id: 'slow', body: '{}' }, new Date())
  const headers = Object.entries({ host: 'localhost', ...signed, 'content-length': '1000' })
  const lines = ['POST /api/rebuild HTTP/1.1', ...headers.map(([name, value]) => `${name}: ${value}`)]
  socket.write(`${lines.join('\r\n')}\r\n\r\n{`)
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
