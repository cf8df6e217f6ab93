/**
 * Signs access tokens with a service account's key. Firestore accepts such self-signed tokens, so no token endpoint is
 * called.
 * Source: https://google.aip.dev/auth/4111
 */
import { importPKCS8, SignJWT } from 'jose'
import { readField } from '../../../domain/documents/document.ts'
import { RestError } from './rest-errors.ts'

const ALGORITHM = 'RS256'
const AUDIENCE = 'https://firestore.googleapis.com/'

/** Lifetime of a token, in seconds: the maximum that Google accepts. */
const LIFETIME = 3_600
/** How long before its expiry a token is replaced, in seconds. */
const RESERVE = 300

/** `until`: when the token must be replaced, as Unix time in seconds. */
interface KeptToken {
  readonly secret: string
  readonly token: string
  readonly until: number
}

// Kept for the lifetime of the isolate. The token is kept instead of a promise, because in a Worker one request cannot
// await a promise of another request.
let kept: KeptToken | null = null

/** `secret` is the content of a key file. Rejects with a `RestError` that quotes nothing from it. */
export async function readToken(secret: string | null): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  if (kept !== null && kept.secret === secret && now < kept.until) return kept.token
  if (secret === null || secret.trim() === '') throw refuse('is not set')
  const token = await signToken(secret, now)
  kept = { secret, token, until: now + LIFETIME - RESERVE }
  return token
}

/** Makes the next call of `readToken` sign a new token. */
export function forgetToken(): void {
  kept = null
}

async function signToken(secret: string, now: number): Promise<string> {
  const key = parseKey(secret)
  const email = readField(key, 'client_email')
  if (typeof email !== 'string') throw refuse('has no client_email')
  const privateKey = await importKey(readField(key, 'private_key'))
  const id = readField(key, 'private_key_id')
  return new SignJWT()
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', ...(typeof id === 'string' ? { kid: id } : {}) })
    .setIssuer(email)
    .setSubject(email)
    .setAudience(AUDIENCE)
    .setIssuedAt(now)
    .setExpirationTime(now + LIFETIME)
    .sign(privateKey)
}

function parseKey(secret: string): unknown {
  try {
    return JSON.parse(secret)
  } catch {
    throw refuse('is not JSON')
  }
}

async function importKey(text: unknown): Promise<CryptoKey> {
  try {
    return await importPKCS8(typeof text === 'string' ? text : '', ALGORITHM)
  } catch {
    throw refuse('has no valid private_key')
  }
}

// The error has no cause, because a parser's error may quote the key.
function refuse(details: string): RestError {
  return new RestError({ code: 'NO_CREDENTIALS', details: `the key ${details}`, retryAfter: 0 })
}
