/** Signatures as Standard Webhooks says, by its own library, and stricter than it about the shape of the headers. */
import { Webhook } from 'standardwebhooks'

export interface Message {
  /** The same again when the message is sent again. */
  readonly id: string
  readonly body: string
}

/** Answers the message's id; `null` when no secret made one of the signatures, or not within five minutes of now. */
export type Verify = (headers: Headers, body: Uint8Array) => string | null

const SECRET = /^whsec_([A-Za-z0-9+/]{4}){8,}([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

// A header sent twice arrives as one, joined by a comma: it fits none of these.
const ID = /^[\w.:~+/=-]{1,256}$/
const TIMESTAMP = /^\d{1,12}$/
const SIGNATURES = /^\w+,[\w+/=-]+( \w+,[\w+/=-]+)*$/

/** Of 24 random bytes or more, as the standard asks. */
export function isSecret(text: string): boolean {
  return SECRET.test(text)
}

/** Throws when one of the secrets is none. */
export function createVerifier(secrets: readonly string[]): Verify {
  const keys = secrets.map((secret) => new Webhook(secret))
  return (headers, bytes) => {
    const id = findHeader(headers, 'webhook-id', ID)
    const timestamp = findHeader(headers, 'webhook-timestamp', TIMESTAMP)
    const signatures = findHeader(headers, 'webhook-signature', SIGNATURES)
    const body = decodeText(bytes)
    if (id === null || timestamp === null || signatures === null || body === null) return null
    const signed = {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatures,
    }
    return keys.some((key) => isSigned(key, body, signed)) ? id : null
  }
}

/** The headers to send along with the body: one signature for each secret, so that a receiver may know either. */
export function signMessage(
  secrets: readonly string[],
  { id, body }: Message,
  now: Date,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
  }
}

/** `null` for bytes that are not UTF-8: put right, other bytes would give the same text. */
export function decodeText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

function findHeader(headers: Headers, name: string, shape: RegExp): string | null {
  const value = headers.get(name)
  return value !== null && shape.test(value) ? value : null
}

function isSigned(key: Webhook, body: string, headers: Record<string, string>): boolean {
  try {
    key.verify(body, headers, { jsonParse: false })
    return true
  } catch {
    return false
  }
}
