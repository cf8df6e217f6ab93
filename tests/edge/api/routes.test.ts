/** Every row of the table of answers. Only a valid call opens the coordinator. */
import type { Coordinator } from '../../../src/edge/coordinator/coordinator.ts'
import { describe, expect, it } from 'vitest'
import type { Variables } from '../../../src/edge/coordinator/coordinator-settings.ts'
import { parseSecrets } from '../../../src/edge/coordinator/coordinator-settings.ts'
import { createCallGuard } from '../../../src/edge/api/call-guard.ts'
import type { ApiOptions } from '../../../src/edge/api/routes.ts'
import { answerCall } from '../../../src/edge/api/routes.ts'
import { signMessage } from '../../../src/domain/wire/signature.ts'

const SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`
const PREVIOUS = `whsec_${Buffer.alloc(24, 2).toString('base64')}`
const THIRD = `whsec_${Buffer.alloc(24, 3).toString('base64')}`
const FOURTH = `whsec_${Buffer.alloc(24, 4).toString('base64')}`
const NOTICE = { type: 'catalogue.changed', timestamp: '2026-03-01T12:00:00Z', data: { sellers: ['a'] } }

const LARGE = 'x'.repeat(64 * 1024 + 1)

const BUILDERS_CALLS = [
  ['/claim', { builder: 'b' }],
  ['/renew', { lease: 'l' }],
  ['/done', { lease: 'l', error: 'e' }],
  ['/status', {}],
  ['/publish', { version: 'v', sequence: 1 }],
  ['/published', { lease: 'l', isLive: true }],
  ['/hold', { reason: 'r' }],
  ['/release', { release: true }],
  ['/forced', { version: 'v', sequence: 1, reason: 'r' }],
] as const

interface Told {
  readonly calls: unknown[]
  readonly lines: string[]
}

function openApi(
  answer: Partial<Coordinator> = {},
  secrets: Variables = { REBUILD_SECRET: SECRET, REBUILD_SECRET_PREVIOUS: PREVIOUS },
): { options: ApiOptions; told: Told } {
  const told: Told = { calls: [], lines: [] }
  const tell =
    <Answer>(value: Answer) =>
    async (asked?: unknown): Promise<Answer> => {
      told.calls.push(asked)
      return value
    }
  const coordinator = {
    accept: tell({ accepted: 1, pending: 1 }),
    claim: tell(null),
    renew: tell({ until: 'later' }),
    report: tell({ pending: 0 }),
    status: async () => {
      throw new Error('unexpected call')
    },
    publish: tell({ refused: 'held' as const, reason: 'rolled back' }),
    published: tell({}),
    hold: tell({ busyUntil: null }),
    release: tell({}),
    forced: tell({}),
    ...answer,
  }
  const log = (line: string): void => {
    told.lines.push(line)
  }
  const guard = createCallGuard(log)
  const options = { secrets: parseSecrets(secrets), guard, openCoordinator: () => coordinator, log }
  return { options, told }
}

interface Options {
  readonly path?: string
  readonly secret?: string
  readonly headers?: Record<string, string>
  readonly method?: string
}

function call(
  body: unknown,
  { path = '', secret = SECRET, headers = {}, method = 'POST' }: Options = {},
): Request {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const signed = signMessage([secret], { id: 'message', body: text }, new Date())
  return new Request(`https://vitrina.do/api/rebuild${path}`, {
    method,
    headers: { ...signed, ...headers },
    ...(method === 'GET' ? {} : { body: text }),
  })
}

async function read(response: Response): Promise<[number, unknown]> {
  return [response.status, await response.json()]
}

describe('the answer', () => {
  it('to a stored notice is 202', async () => {
    const { options, told } = openApi()
    expect(await read(await answerCall(call(NOTICE), options))).toEqual([202, { accepted: 1, pending: 1 }])
    expect(told.calls).toEqual([{ id: 'message', sellers: ['a'], isFull: false, isBounded: false }])
  })

  it('is the same for the previous secret, and 401 for any other', async () => {
    const { options } = openApi()
    expect((await answerCall(call(NOTICE, { secret: PREVIOUS }), options)).status).toBe(202)
    expect((await answerCall(call(NOTICE, { secret: THIRD }), options)).status).toBe(401)
  })

  it.each<[number, string, Request]>([
    [404, 'another path', call(NOTICE, { path: '/other' })],
    [404, 'a path that is almost right', call(NOTICE, { path: '/' })],
    [405, 'another method', call(NOTICE, { method: 'GET' })],
    [
      405,
      'another method with another type',
      call(NOTICE, { method: 'PUT', headers: { 'content-type': 'a/b' } }),
    ],
    [415, 'another type', call(NOTICE, { headers: { 'content-type': 'text/plain' } })],
    [415, 'a type that begins alike', call(NOTICE, { headers: { 'content-type': 'application/json5' } })],
    [401, 'too large a body without a signature', call(LARGE, { headers: { 'webhook-id': '' } })],
    [413, 'too large a body with the headers of a signed one', call(LARGE)],
    [401, 'no signature, though malformed', call('{', { headers: { 'webhook-signature': '' } })],
    [401, 'a wrong signature', call(NOTICE, { headers: { 'webhook-signature': 'v1,AAAA' } })],
    [400, 'no JSON', call('{')],
    [400, 'JSON as deep as the body is long', call('['.repeat(60_000))],
    [400, 'the call of a builder', call({ builder: 'b', have: null })],
    [400, 'a notice sent as a claim', call(NOTICE, { path: '/claim' })],
    [400, 'a call for the status sent as a release', call({}, { path: '/release' })],
  ])('is %i to %s, and the coordinator is left alone', async (status, _, request) => {
    const { options, told } = openApi()
    const response = await answerCall(request, options)
    expect(response.status).toBe(status)
    const text = await response.text()
    expect(Object.keys(JSON.parse(text))).toEqual(['error'])
    expect(text).not.toContain('\n')
    expect(told).toEqual({ calls: [], lines: [] })
  })

  it.each<[string, object, unknown, object]>([
    [
      '/publish',
      { version: 'v', sequence: 1 },
      { version: 'v', sequence: 1, base: null, by: null },
      { refused: 'held', reason: 'rolled back' },
    ],
    ['/published', { lease: 'l', isLive: null }, { lease: 'l', isLive: null, by: null }, {}],
    ['/hold', { reason: 'r' }, { reason: 'r', live: null, by: null }, { busyUntil: null }],
    ['/release', { release: true, by: 'ana@desk' }, { by: 'ana@desk' }, {}],
    [
      '/forced',
      { version: 'v', sequence: 1, reason: 'r' },
      { version: 'v', sequence: 1, reason: 'r', by: null, at: null },
      {},
    ],
  ])('to a publisher at %s is what the coordinator answers', async (path, body, asked, answer) => {
    const { options, told } = openApi()
    expect(await read(await answerCall(call(body, { path }), options))).toEqual([200, answer])
    expect(told.calls).toEqual([asked])
  })

  it('to a publisher whose lease has expired is 409', async () => {
    const { options } = openApi({ published: async () => null })
    const response = await answerCall(call({ lease: 'l', isLive: true }, { path: '/published' }), options)
    expect(response.status).toBe(409)
  })

  it('names the method that is allowed', async () => {
    const response = await answerCall(call(NOTICE, { method: 'GET' }), openApi().options)
    expect(response.headers.get('allow')).toBe('POST')
  })

  it('is the same for every wrong signature and for every wrong body', async () => {
    const { options } = openApi()
    const headers: readonly Record<string, string>[] = [
      { 'webhook-id': '' },
      { 'webhook-timestamp': '1' },
      { 'webhook-signature': 'v1,AAAA' },
    ]
    const forged = await Promise.all(
      headers.map(async (one) => read(await answerCall(call(NOTICE, { headers: one }), options))),
    )
    expect(new Set(forged.map((one) => JSON.stringify(one))).size).toBe(1)
    const malformed = await Promise.all(
      ['{', '{}', '[1]', 'null'].map(async (one) => read(await answerCall(call(one), options))),
    )
    expect(new Set(malformed.map((one) => JSON.stringify(one))).size).toBe(1)
  })

  it('is 503 with a retry-after header when storing fails, and the log contains no secret', async () => {
    const { options, told } = openApi({
      accept: async () => {
        throw new Error('disk full')
      },
    })
    const response = await answerCall(call(NOTICE), options)
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '10'])
    expect(await response.text()).not.toContain('disk')
    expect(told.lines).toEqual(['rebuild: the coordinator failed: disk full'])
  })

  it.each([[{}], [{ REBUILD_SECRET: '', BUILDER_SECRET: '' }], [{ REBUILD_SECRET: 'whsec_short' }]])(
    'is 503 while no secret is set: %j',
    async (secrets) => {
      const { options, told } = openApi({}, secrets)
      const response = await answerCall(call(NOTICE), options)
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '10'])
      expect(told.calls).toEqual([])
    },
  )

  it('is 401 to a call of a builder that is signed with the secret of notices', async () => {
    const secrets = { NOTICE_SECRET: THIRD, NOTICE_SECRET_PREVIOUS: FOURTH, BUILDER_SECRET: SECRET }
    const { options, told } = openApi({}, secrets)
    const ask = async (secret: string, path: string, body: unknown): Promise<number> =>
      (await answerCall(call(body, { secret, path }), options)).status
    for (const secret of [THIRD, FOURTH, SECRET]) expect(await ask(secret, '', NOTICE)).toBe(202)
    const known = told.calls.length
    for (const secret of [THIRD, FOURTH])
      for (const [path, body] of BUILDERS_CALLS)
        expect([path, await ask(secret, path, body)]).toEqual([path, 401])
    expect(told.calls).toHaveLength(known)
    expect(await ask(SECRET, '/renew', { lease: 'l' })).toBe(200)
  })

  it('to a builder is the answer of the coordinator, or 409 when it does not hold the lease', async () => {
    const { options, told } = openApi()
    const ask = async (path: string, body: unknown): Promise<unknown> =>
      read(await answerCall(call(body, { path }), options))
    expect(await ask('/claim', { builder: 'b', have: 1 })).toEqual([
      409,
      { error: 'the lease has expired or belongs to another caller' },
    ])
    expect(await ask('/renew', { lease: 'l' })).toEqual([200, { until: 'later' }])
    expect(await ask('/done', { lease: 'l', upTo: 1, failed: [] })).toEqual([200, { pending: 0 }])
    expect(told.calls).toEqual([{ builder: 'b', have: 1 }, 'l', { lease: 'l', upTo: 1, failed: [] }])
  })
})

describe('without a valid signature', () => {
  /** Counts the bytes that are read. */
  function stream(size: number): { readonly body: ReadableStream<Uint8Array>; readonly count: () => number } {
    let sent = 0
    const body = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          if (sent >= size) return controller.close()
          sent += 1024
          controller.enqueue(new Uint8Array(1024).fill(32))
        },
      },
      { highWaterMark: 0 },
    )
    return { body, count: () => sent }
  }

  async function send(
    path: string,
    headers: Record<string, string>,
    size: number,
  ): Promise<readonly [status: number, sent: number]> {
    const { body, count } = stream(size)
    const init = { method: 'POST', headers, body, duplex: 'half' }
    const request = new Request(`https://vitrina.do/api/rebuild${path}`, init as RequestInit)
    const { options } = openApi()
    const { status } = await answerCall(request, options)
    return [status, count()]
  }

  const signed = signMessage([SECRET], { id: 'message', body: '{}' }, new Date())
  const { 'vitrina-head-signature': head = '', ...standard } = signed
  const forged = signMessage([THIRD], { id: 'message', body: '{}' }, new Date())

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'a call is refused before a byte of its body is read: %s is missing or malformed',
    async (name) => {
      const { [name]: _, ...missing } = signed
      for (const path of ['', '/claim'])
        for (const headers of [missing, { ...signed, [name]: '!' }])
          expect(await send(path, headers, 4 * 1024 * 1024)).toEqual([401, 0])
    },
  )

  it('a call of another time is refused before a byte of its body is read', async () => {
    const late = signMessage([SECRET], { id: 'message', body: '{}' }, new Date(Date.now() - 301_000))
    expect(await send('', late, 1024)).toEqual([401, 0])
  })

  it('at most 64 KiB are read of a body, and none if its headers announce more', async () => {
    const whole = { ...standard, 'vitrina-head-signature': head }
    for (const headers of [standard, forged, whole]) {
      expect(await send('/claim', headers, 4 * 1024 * 1024)).toEqual([413, 65 * 1024])
      const told = { ...headers, 'content-length': String(64 * 1024 + 1) }
      expect(await send('/claim', told, 4 * 1024 * 1024)).toEqual([413, 0])
    }
  })

  it('a network is blocked after too many calls, but not a call whose headers are signed', async () => {
    let left = 2
    const keys: string[] = []
    const limit = {
      limit: async ({ key }: { key: string }) => {
        keys.push(key)
        left -= 1
        return { success: left >= 0 }
      },
    }
    const { options, told } = openApi()
    const from = { 'cf-connecting-ip': '2001:db8:1:2:3::4' }
    const ask = async (headers: Record<string, string>): Promise<number> =>
      (await answerCall(call(NOTICE, { headers: { ...from, ...headers } }), { ...options, limit })).status
    const wrong = { 'webhook-signature': 'v1,AAAA', 'vitrina-head-signature': '' }
    const unsigned = { 'vitrina-head-signature': '' }
    expect([await ask(wrong), await ask(unsigned), await ask(wrong), await ask(wrong)]).toEqual([
      401, 202, 401, 401,
    ])
    expect([await ask(wrong), await ask(unsigned), await ask({})]).toEqual([429, 429, 202])
    expect(await ask({ ...unsigned, 'cf-connecting-ip': '192.0.2.1' })).toBe(202)
    expect([keys, told.lines]).toEqual([['2001:db8:1:2', '2001:db8:1:2', '2001:db8:1:2'], []])
  })

  it('no caller is blocked by a limit that fails', async () => {
    const { options, told } = openApi()
    const limit = { limit: async () => Promise.reject(new Error('no such binding')) }
    const wrong = { 'webhook-signature': 'v1,AAAA' }
    for (let round = 0; round < 3; round += 1)
      expect((await answerCall(call(NOTICE, { headers: wrong }), { ...options, limit })).status).toBe(401)
    expect(new Set(told.lines)).toEqual(
      new Set(['rebuild: the rate limit for refused calls failed, so this caller is not blocked']),
    )
  })
})

describe('the secret of notices', () => {
  const secrets = { NOTICE_SECRET: THIRD, BUILDER_SECRET: SECRET }
  const FULL = { type: 'catalogue.rebuild', timestamp: '2026-03-01T12:00:00Z', data: { full: true } }

  it('asks for no full read, also beside a forged signature of builders', async () => {
    const { options, told } = openApi({}, secrets)
    const answer = await read(await answerCall(call(FULL, { secret: THIRD }), options))
    expect(answer).toEqual([403, { error: 'a full read needs the secret of builders' }])
    expect(told.calls).toEqual([])
    expect((await answerCall(call(FULL), options)).status).toBe(202)
    const text = JSON.stringify(FULL)
    const both = signMessage([THIRD, SECRET], { id: 'message', body: text }, new Date())
    expect((await answerCall(call(FULL, { headers: both }), options)).status).toBe(202)
  })

  it('names a bounded number of new sellers: what the coordinator does not take is 429', async () => {
    const { options, told } = openApi(
      { accept: async () => ({ accepted: 0, pending: 3, isTooMuch: true }) },
      secrets,
    )
    const response = await answerCall(call(NOTICE, { secret: THIRD }), options)
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '60'])
    const other = openApi({}, secrets)
    for (const secret of [THIRD, SECRET]) await answerCall(call(NOTICE, { secret }), other.options)
    expect(other.told.calls).toMatchObject([{ isBounded: true }, { isBounded: false }])
    expect(told.lines).toEqual([])
  })
})

it('no answer may be kept or taken for another type', async () => {
  const { options } = openApi()
  const requests = [
    call(NOTICE),
    call(NOTICE, { path: '/other' }),
    call(NOTICE, { method: 'GET' }),
    call(NOTICE, { headers: { 'webhook-id': '' } }),
    call({ builder: 'b' }, { path: '/claim' }),
  ]
  for (const request of requests) {
    const { headers } = await answerCall(request, options)
    expect([headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual([
      'no-store',
      'nosniff',
    ])
  }
})
