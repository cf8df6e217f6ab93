/** Signatures of Standard Webhooks: its test vector, and invalid signatures. */
import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createVerifier, signMessage } from '../../../src/domain/wire/signature.ts'
import { isSecret } from '../../../src/domain/wire/secrets.ts'

// From the tests of the standard's JavaScript library.
const VECTOR = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  time: 1_614_265_330,
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}
const NOW = new Date(VECTOR.time * 1000)
const { secret: SECRET, id: ID, body: BODY } = VECTOR
const OTHER = `whsec_${Buffer.alloc(24, 7).toString('base64')}`

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

function verify(
  headers: Record<string, string> | Headers,
  body: Uint8Array = encode(BODY),
  secrets = [SECRET],
): string | null {
  return createVerifier(secrets)(new Headers(headers), body)
}

function sign(secret = SECRET, time = NOW, body = BODY): Record<string, string> {
  return signMessage([secret], { id: ID, body }, time)
}

/** Signs without the library. */
function signByHand(time: string): string {
  const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${ID}.${time}.${BODY}`).digest('base64')}`
}

beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a signature', () => {
  it('equals the test vector of the standard, and verifies', () => {
    expect(sign()).toEqual({
      'content-type': 'application/json',
      'webhook-id': ID,
      'webhook-timestamp': String(VECTOR.time),
      'webhook-signature': VECTOR.signature,
    })
    expect(verify(sign())).toBe(ID)
  })

  it('is invalid after a flip of any bit of the body', () => {
    const bytes = encode(BODY)
    for (let at = 0; at < bytes.length * 8; at += 1) {
      const wrong = Uint8Array.from(bytes)
      wrong[at >> 3] = (wrong[at >> 3] ?? 0) ^ (1 << (at & 7))
      expect(verify(sign(), wrong)).toBeNull()
    }
  })

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'is invalid after a change of any character of %s',
    (name) => {
      const value = sign()[name] ?? ''
      for (let at = 0; at < value.length; at += 1) {
        for (const other of ['A', '1', ',', ' ', '.', '=']) {
          if (value[at] === other) continue
          const wrong = value.slice(0, at) + other + value.slice(at + 1)
          expect([wrong, verify({ ...sign(), [name]: wrong })]).toEqual([wrong, null])
        }
      }
    },
  )

  it('is valid for 299 seconds before and after, and not for 301', () => {
    for (const seconds of [-299, 299]) {
      expect(verify(sign(SECRET, new Date(NOW.getTime() + seconds * 1000)))).toBe(ID)
    }
    for (const seconds of [-301, 301]) {
      expect(verify(sign(SECRET, new Date(NOW.getTime() + seconds * 1000)))).toBeNull()
    }
  })

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'is refused without %s, or with two',
    (name) => {
      const { [name]: value = '', ...others } = sign()
      expect(verify(others)).toBeNull()
      expect(verify({ ...others, [name]: '' })).toBeNull()
      const doubled = new Headers(sign())
      doubled.append(name, value)
      expect(verify(doubled)).toBeNull()
    },
  )

  it.each(['a, b', 'a b', 'x'.repeat(257), 'ñ'])(
    'is refused for the id %j, even if correctly signed',
    (id) => {
      const signed = signMessage([SECRET], { id, body: BODY }, NOW)
      expect(
        createVerifier([SECRET])({ get: (name) => signed[name] ?? null } as Headers, encode(BODY)),
      ).toBeNull()
    },
  )

  it('may be accompanied by signatures of other secrets and of future versions', () => {
    const others = [sign(OTHER)['webhook-signature'], 'v1a,c2lnbmF0dXJl', 'v2,c2lnbmF0dXJl']
    for (const signatures of [
      [...others, VECTOR.signature],
      [VECTOR.signature, ...others],
    ])
      expect(verify({ ...sign(), 'webhook-signature': signatures.join(' ') })).toBe(ID)
    expect(verify({ ...sign(), 'webhook-signature': others.join(' ') })).toBeNull()
    const asOther = VECTOR.signature.replace('v1,', 'v2,')
    expect(verify({ ...sign(), 'webhook-signature': asOther })).toBeNull()
  })

  it('is made with each secret of the sender, for a receiver that has one of them', () => {
    const signed = signMessage([OTHER, SECRET], { id: ID, body: BODY }, NOW)
    for (const secret of [OTHER, SECRET]) expect(verify(signed, encode(BODY), [secret])).toBe(ID)
  })

  it('may use the previous secret during a replacement, and no other', () => {
    const secrets = [OTHER, SECRET]
    expect(verify(sign(SECRET), encode(BODY), secrets)).toBe(ID)
    expect(verify(sign(OTHER), encode(BODY), secrets)).toBe(ID)
    expect(verify(sign(SECRET), encode(BODY), [OTHER])).toBeNull()
    expect(verify(sign(), encode(BODY), [])).toBeNull()
  })

  it.each(['1614265330.0', '+1614265330', '0x60379c32', '1614265330, 1614265330', '9'.repeat(30)])(
    'is refused for the time %j, even if correctly signed',
    (time) => {
      const headers = { ...sign(), 'webhook-timestamp': time, 'webhook-signature': signByHand(time) }
      expect(verify(headers)).toBeNull()
    },
  )

  it('is invalid for invalid UTF-8 or a byte order mark, which would decode to the same text', () => {
    const body = '{"test":"\uFFFD"}'
    const headers = sign(SECRET, NOW, body)
    expect(verify(headers, encode(body))).toBe(ID)
    const lone = Uint8Array.from([...encode('{"test":"'), 0xff, ...encode('"}')])
    expect(verify(headers, lone)).toBeNull()
    expect(verify(headers, Uint8Array.from([0xef, 0xbb, 0xbf, ...encode(body)]))).toBeNull()
  })
})

describe('a secret', () => {
  it('is whsec_ and at least 24 bytes in base64', () => {
    expect([SECRET, OTHER].every(isSecret)).toBe(true)
    for (const text of ['', 'whsec_', 'whsec_c2hvcnQ=', SECRET.slice(6), `${SECRET}!`, `${SECRET}=`])
      expect([text, isSecret(text)]).toEqual([text, false])
  })
})
