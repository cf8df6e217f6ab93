/** Signatures of Standard Webhooks, made by its library. Header syntax is checked more strictly than the library does. */
import { Webhook } from 'standardwebhooks'

export interface Message {
  /** The same for each delivery of a message. */
  readonly id: string
  readonly body: string
}

/** Returns the message's id; `null` unless a secret made one of the signatures within five minutes of now. */
export type Verify = (headers: Headers, body: Uint8Array) => string | null

// A repeated header arrives joined by a comma, which none of these match.
const ID = /^[\w.:~+/=-]{1,256}$/
const TIMESTAMP = /^\d{1,12}$/
const SIGNATURES = /^\w+,[\w+/=-]+( \w+,[\w+/=-]+)*$/

/** Throws if a secret is invalid. */
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

/** Returns the headers of a signed message: one signature per secret, so that the receiver needs only one of them. */
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

/** Returns `null` for invalid UTF-8: replacing it would map different bytes to the same text. */
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
