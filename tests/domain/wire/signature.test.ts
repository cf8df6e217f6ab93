/** Signatures of Standard Webhooks: its test vector, and invalid signatures. */
import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isHeadSigned, readEnvelope, signMessage } from '../../../src/domain/wire/signature.ts'
import { isSecret } from '../../../src/domain/wire/secrets.ts'
import { verifyMessage } from '../../support/edge/verify-message.ts'

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
): Promise<string | null> {
  return verifyMessage(secrets, headers, body)
}

/** Whether its headers alone are signed. */
async function verifyHead(headers: Record<string, string>, secrets = [SECRET]): Promise<boolean> {
  const envelope = readEnvelope(new Headers(headers))
  return envelope !== null && isHeadSigned(secrets, envelope)
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
  vi.useFakeTimers({ toFake: ['Date'], now: NOW })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a signature', () => {
  it('equals the test vector of the standard, and verifies', async () => {
    expect(sign()).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': ID,
      'webhook-timestamp': String(VECTOR.time),
      'webhook-signature': VECTOR.signature,
    })
    expect(await verify(sign())).toBe(ID)
  })

  it('is invalid after a flip of any bit of the body', async () => {
    const bytes = encode(BODY)
    for (let at = 0; at < bytes.length * 8; at += 1) {
      const wrong = Uint8Array.from(bytes)
      wrong[at >> 3] = (wrong[at >> 3] ?? 0) ^ (1 << (at & 7))
      expect(await verify(sign(), wrong)).toBeNull()
    }
  })

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'is invalid after a change of any character of %s',
    async (name) => {
      const value = sign()[name] ?? ''
      for (let at = 0; at < value.length; at += 1) {
        for (const other of ['A', '1', ',', ' ', '.', '=']) {
          if (value[at] === other) continue
          const wrong = value.slice(0, at) + other + value.slice(at + 1)
          expect([wrong, await verify({ ...sign(), [name]: wrong })]).toEqual([wrong, null])
        }
      }
    },
  )

  it('is valid for 299 seconds before and after, and not for 301', async () => {
    for (const seconds of [-299, 299]) {
      expect(await verify(sign(SECRET, new Date(NOW.getTime() + seconds * 1000)))).toBe(ID)
    }
    for (const seconds of [-301, 301]) {
      expect(await verify(sign(SECRET, new Date(NOW.getTime() + seconds * 1000)))).toBeNull()
    }
  })

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'is refused without %s, or with two',
    async (name) => {
      const { [name]: value = '', ...others } = sign()
      expect(await verify(others)).toBeNull()
      expect(await verify({ ...others, [name]: '' })).toBeNull()
      const doubled = new Headers(sign())
      doubled.append(name, value)
      expect(await verify(doubled)).toBeNull()
    },
  )

  it.each(['a, b', 'a b', 'x'.repeat(257), 'ñ'])(
    'is refused for the id %j, even if correctly signed',
    (id) => {
      const signed = signMessage([SECRET], { id, body: BODY }, NOW)
      expect(readEnvelope({ get: (name) => signed[name] ?? null } as Headers)).toBeNull()
    },
  )

  it('may be accompanied by signatures of other secrets and of future versions', async () => {
    const others = [sign(OTHER)['webhook-signature'], 'v1a,c2lnbmF0dXJl', 'v2,c2lnbmF0dXJl']
    for (const signatures of [
      [...others, VECTOR.signature],
      [VECTOR.signature, ...others],
    ])
      expect(await verify({ ...sign(), 'webhook-signature': signatures.join(' ') })).toBe(ID)
    expect(await verify({ ...sign(), 'webhook-signature': others.join(' ') })).toBeNull()
    const asOther = VECTOR.signature.replace('v1,', 'v2,')
    expect(await verify({ ...sign(), 'webhook-signature': asOther })).toBeNull()
  })

  it('is made with each secret of the sender, for a receiver that has one of them', async () => {
    const signed = signMessage([OTHER, SECRET], { id: ID, body: BODY }, NOW)
    for (const secret of [OTHER, SECRET]) expect(await verify(signed, encode(BODY), [secret])).toBe(ID)
  })

  it('may use the previous secret during a replacement, and no other', async () => {
    const secrets = [OTHER, SECRET]
    expect(await verify(sign(SECRET), encode(BODY), secrets)).toBe(ID)
    expect(await verify(sign(OTHER), encode(BODY), secrets)).toBe(ID)
    expect(await verify(sign(SECRET), encode(BODY), [OTHER])).toBeNull()
    expect(await verify(sign(), encode(BODY), [])).toBeNull()
  })

  it.each(['1614265330.0', '+1614265330', '0x60379c32', '1614265330, 1614265330', '9'.repeat(30)])(
    'is refused for the time %j, even if correctly signed',
    async (time) => {
      const headers = { ...sign(), 'webhook-timestamp': time, 'webhook-signature': signByHand(time) }
      expect(await verify(headers)).toBeNull()
    },
  )

  it('is invalid for invalid UTF-8 or a byte order mark, which would decode to the same text', async () => {
    const body = '{"test":"\uFFFD"}'
    const headers = sign(SECRET, NOW, body)
    expect(await verify(headers, encode(body))).toBe(ID)
    const lone = Uint8Array.from([...encode('{"test":"'), 0xff, ...encode('"}')])
    expect(await verify(headers, lone)).toBeNull()
    expect(await verify(headers, Uint8Array.from([0xef, 0xbb, 0xbf, ...encode(body)]))).toBeNull()
  })
})

describe('the headers', () => {
  it('are signed alone, too, and without it the message is as the standard has it', async () => {
    const { 'vitrina-head-signature': head = '', ...standard } = sign()
    expect([await verifyHead(sign()), await verifyHead(standard)]).toEqual([true, false])
    expect(await verify(standard)).toBe(ID)
    expect(await verifyHead({ ...standard, 'vitrina-head-signature': `v2,${head.slice(3)}` })).toBe(false)
  })

  it('are not signed by the signature of a body, nor by that of another id, time or secret', async () => {
    const own = sign()['webhook-signature'] ?? ''
    const { 'vitrina-head-signature': head = '' } = signMessage([SECRET], { id: 'other', body: BODY }, NOW)
    const late = sign(SECRET, new Date(NOW.getTime() + 1000))['vitrina-head-signature'] ?? ''
    for (const wrong of [own, head, late, 'v1,AAAA', `${sign()['vitrina-head-signature']},`])
      expect([wrong, await verifyHead({ ...sign(), 'vitrina-head-signature': wrong })]).toEqual([
        wrong,
        false,
      ])
    expect(await verifyHead(sign(OTHER))).toBe(false)
    expect(await verifyHead(sign(), [OTHER, SECRET])).toBe(true)
  })

  it('name at most eight signatures, each of which costs a hash of the body', async () => {
    const many = (count: number): string => Array.from({ length: count }, () => 'v1,AAAA').join(' ')
    const add = (count: number): Record<string, string> => ({
      ...sign(),
      'webhook-signature': `${many(count)} ${VECTOR.signature}`,
    })
    expect([await verify(add(7)), await verify(add(8))]).toEqual([ID, null])
  })
})

describe('a secret', () => {
  it('is whsec_ and at least 24 bytes in base64', () => {
    expect([SECRET, OTHER].every(isSecret)).toBe(true)
    for (const text of ['', 'whsec_', 'whsec_c2hvcnQ=', SECRET.slice(6), `${SECRET}!`, `${SECRET}=`])
      expect([text, isSecret(text)]).toEqual([text, false])
  })
})
