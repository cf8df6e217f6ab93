/** Firestore's REST API refuses, fails, or stays silent. */
import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import type { FirestoreSourceOptions } from '../../../../src/edge/intake/firestore/firestore-source.ts'
import { openFirestoreSource } from '../../../../src/edge/intake/firestore/firestore-source.ts'
import { SourceTrouble } from '../../../../src/edge/intake/seller-source.ts'

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const KEY = JSON.stringify({ client_email: 'reader@demo.example', private_key: privateKey })

interface Asked {
  readonly address: string
  readonly init: RequestInit
}

type Send = (asked: Asked) => Response | Promise<Response>

async function readWith(send: Send, more: Partial<FirestoreSourceOptions> = {}) {
  const asked: Asked[] = []
  const source = openFirestoreSource({
    projectId: 'demo',
    emulatorHost: null,
    serviceAccount: KEY,
    fetch: async (address, init = {}) => {
      asked.push({ address: String(address), init })
      return send({ address: String(address), init })
    },
    ...more,
  })
  const result = await source.readSeller('ana', []).catch((failure: unknown) => failure)
  return { asked, result }
}

async function failWith(send: Send, more: Partial<FirestoreSourceOptions> = {}) {
  const { asked, result } = await readWith(send, more)
  expect(result).toBeInstanceOf(SourceTrouble)
  const { kind, message, retryAfter } = result as SourceTrouble
  return { asked, kind, message, retryAfter }
}

const tell = (status: number, code: string, message: string) => () =>
  Response.json([{ error: { code: status, message, status: code } }], { status })

describe('a Firestore that refuses', () => {
  it.each([
    [401, 'UNAUTHENTICATED', 'denied', /key file into the secret FIREBASE_SERVICE_ACCOUNT.*not revoked/],
    [403, 'PERMISSION_DENIED', 'denied', /role Cloud Datastore Viewer/],
    [404, 'NOT_FOUND', 'missing', /database named \(default\)/],
    [400, 'INVALID_ARGUMENT', 'missing', /native mode/],
    [400, 'FAILED_PRECONDITION', 'missing', /index of the field owner\.id/],
    [429, 'RESOURCE_EXHAUSTED', 'busy', /quota is used up/],
    [504, 'DEADLINE_EXCEEDED', 'unavailable', /the read is retried/],
  ] as const)('with %i %s says what to do, after one call', async (status, code, kind, advice) => {
    const failed = await failWith(tell(status, code, 'told why'))
    expect(failed).toMatchObject({ kind, retryAfter: 0 })
    expect(failed.message).toContain(`cannot read the Firestore project demo (${code}: told why): `)
    expect(failed.message).toMatch(advice)
    expect(failed.asked).toHaveLength(1)
    // An error in another form than Google's counts by its status.
    const bare = await failWith(() => new Response('<html>', { status }))
    expect(bare).toMatchObject({ kind })
    expect(bare.message).toContain(`HTTP status ${status}`)
  })

  it('with 401 gets a new token the next time', async () => {
    const readTokenAt = async (second: number, status: number): Promise<string | null> => {
      vi.useFakeTimers({ now: second * 1000, toFake: ['Date'] })
      const { asked } = await readWith(() => new Response('', { status })).finally(() => vi.useRealTimers())
      return new Headers(asked[0]?.init.headers).get('authorization')
    }
    const first = await readTokenAt(1_000_000, 403)
    expect(await readTokenAt(1_000_010, 401)).toBe(first)
    expect(await readTokenAt(1_000_020, 403)).not.toBe(first)
  })

  it('for a while says how long', async () => {
    const busy = (after: string) =>
      failWith(() => new Response('', { status: 429, headers: { 'retry-after': after } }))
    expect((await busy('7')).retryAfter).toBe(7_000)
    expect((await busy('soon')).retryAfter).toBe(0)
    expect((await busy('999999999')).retryAfter).toBe(3_600_000)
  })

  it('in the middle of its answer counts as if it had done so at once', async () => {
    const error = { code: 429, message: 'told why', status: 'RESOURCE_EXHAUSTED' }
    const failed = await failWith(() => Response.json([{ transaction: 'dA==' }, { error }]))
    expect(failed).toMatchObject({ kind: 'busy', asked: { length: 1 } })
  })

  it('with a redirect gets no second call with the token', async () => {
    const failed = await failWith(
      () => new Response(null, { status: 302, headers: { location: 'https://x.example' } }),
    )
    expect(failed).toMatchObject({ kind: 'unavailable' })
    expect(failed.asked).toMatchObject([{ init: { redirect: 'manual' } }])
  })
})

describe('a Firestore that fails', () => {
  it.each([
    [
      'an error in the middle of its answer',
      () => Response.json([{}, { error: { code: 14, status: 'UNAVAILABLE' } }]),
    ],
    ['half an answer', () => new Response('[{"document":')],
    ['something else', () => Response.json({ fields: [] })],
    ['no transaction', () => Response.json([{ readTime: '2026-05-04T03:02:01Z' }])],
    ['a broken connection', () => Promise.reject(new TypeError('fetch failed'))],
    ['500', () => new Response('', { status: 500 })],
    ['503', () => new Response('', { status: 503 })],
  ])('with %s is asked three times', async (_, send) => {
    expect(await failWith(send)).toMatchObject({ kind: 'unavailable', asked: { length: 3 } })
  })

  it('never takes an answer without the profile for a seller without one', async () => {
    const failed = await failWith(({ address }) =>
      Response.json(address.includes('runQuery') ? [{ transaction: 'dA==' }] : []),
    )
    expect(failed).toMatchObject({ kind: 'unavailable' })
    expect(failed.message).toContain('the response is incomplete')
  })

  it.each([
    ['does not answer', () => new Promise<Response>(() => {})],
    [
      'stops in the middle of its answer',
      () =>
        new Response(
          new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode('[')) }),
        ),
    ],
  ])('is left after a bounded time when it %s', async (_, send) => {
    const failed = await failWith(send, { patience: { silence: 50 } })
    expect(failed).toMatchObject({ kind: 'unavailable', asked: { length: 1 } })
    expect(failed.message).toContain('DEADLINE_EXCEEDED: no answer for 0.05 s')
    expect((await failWith(send, { patience: { whole: 50 } })).message).toContain('reading took too long')
  })

  it('learns that the call is over', async () => {
    const { asked } = await failWith(() => new Promise(() => {}), { patience: { silence: 50 } })
    expect(asked.map(({ init }) => init.signal?.aborted)).toEqual([true])
  })
})

describe('secrets', () => {
  it('never show in a message', async () => {
    const echo: Send = ({ init }) =>
      tell(403, 'PERMISSION_DENIED', `${new Headers(init.headers).get('authorization')} ${KEY}`)()
    const { asked, message } = await failWith(echo)
    const token = new Headers(asked[0]?.init.headers).get('authorization')?.slice('Bearer '.length) ?? ''
    expect(token.length).toBeGreaterThan(100)
    for (const part of token.split('.')) expect(message).not.toContain(part)
    expect(message).not.toContain(privateKey.slice(40, 80))
    expect(message.length).toBeLessThan(500)
  })

  it('that are malformed are a trouble that names the setting', async () => {
    const { asked, kind, message } = await failWith(() => Response.json([]), { serviceAccount: 'canary' })
    expect({ asked, kind }).toEqual({ asked: [], kind: 'denied' })
    expect(message).toBe(
      "cannot read the Firestore project demo (NO_CREDENTIALS: the key is not JSON): put a service account's key file into the secret FIREBASE_SERVICE_ACCOUNT",
    )
  })

  it('are only sent to Google', async () => {
    const { asked } = await readWith(() => new Response('', { status: 404 }))
    expect(asked.map(({ address }) => address)).toEqual([
      'https://firestore.googleapis.com/v1/projects/demo/databases/(default)/documents:runQuery?prettyPrint=false',
    ])
    const local = await readWith(() => new Response('', { status: 404 }), { emulatorHost: '127.0.0.1:1' })
    expect(local.asked).toMatchObject([
      {
        address: 'http://127.0.0.1:1/v1/projects/demo/databases/(default)/documents:runQuery',
        init: { headers: { authorization: 'Bearer owner' } },
      },
    ])
  })
})
