import { generateKeyPairSync } from 'node:crypto'
import { importSPKI, jwtVerify } from 'jose'
import { describe, expect, it, vi } from 'vitest'
import { forgetToken, readToken } from '../../../../src/edge/intake/firestore/service-key.ts'

const SECRET = 'c2VjcmV0c2VjcmV0'
const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const KEY = {
  type: 'service_account',
  client_email: 'reader@demo.example',
  private_key_id: 'k1',
  private_key: privateKey,
}

const at = async (time: string, secret = JSON.stringify(KEY)): Promise<string> => {
  vi.useFakeTimers({ now: new Date(time), toFake: ['Date'] })
  return readToken(secret).finally(() => vi.useRealTimers())
}

describe('the token of a service account', () => {
  it('is signed with its key, for Firestore, for an hour', async () => {
    const token = await at('2026-05-04T03:00:00Z')
    const { payload, protectedHeader } = await jwtVerify(token, await importSPKI(publicKey, 'RS256'), {
      audience: 'https://firestore.googleapis.com/',
      issuer: KEY.client_email,
      subject: KEY.client_email,
      currentDate: new Date('2026-05-04T03:59:00Z'),
    })
    expect(protectedHeader).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'k1' })
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3_600)
    expect(token).not.toContain(privateKey)
  })

  it('is kept until shortly before its end, for the same key', async () => {
    const first = await at('2026-05-04T03:00:00Z')
    expect(await at('2026-05-04T03:54:00Z')).toBe(first)
    expect(await at('2026-05-04T03:56:00Z')).not.toBe(first)
    expect(await at('2026-05-04T03:56:00Z', JSON.stringify({ ...KEY, client_email: 'b@c' }))).not.toBe(first)
  })

  it('is signed anew once it is forgotten', async () => {
    const first = await at('2026-05-04T03:00:00Z')
    forgetToken()
    expect(await at('2026-05-04T03:01:00Z')).not.toBe(first)
  })

  it.each([
    ['is not set', ''],
    ['is not JSON', `{"private_key": "-----BEGIN PRIVATE KEY-----${SECRET}`],
    ['has no client_email', 'null'],
    ['has no client_email', JSON.stringify({ private_key: SECRET })],
    ['has no valid private_key', JSON.stringify({ client_email: 'a@b', private_key: SECRET })],
    ['has no valid private_key', JSON.stringify({ client_email: 'a@b', private_key: 5 })],
    [
      'has no valid private_key',
      JSON.stringify({
        client_email: 'a@b',
        private_key: `-----BEGIN PRIVATE KEY-----\n${SECRET}\n-----END PRIVATE KEY-----`,
      }),
    ],
  ])('is refused when the key %s, and nothing of it is told', async (reason, text) => {
    const error = await readToken(text).catch((failure: unknown) => failure)
    expect(error).toMatchObject({
      name: 'RestError',
      failure: { code: 'NO_CREDENTIALS', details: `the key ${reason}` },
    })
    expect(
      JSON.stringify(error) + String((error as Error).stack) + String((error as Error).cause),
    ).not.toContain(SECRET)
  })
})
