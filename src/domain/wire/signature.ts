/**
 * Signatures of Standard Webhooks. The library `standardwebhooks` signs. Web Crypto verifies, because it hashes large
 * bodies many times faster. The syntax of headers is checked more strictly than by the library.
 */
import { Webhook } from 'standardwebhooks'

interface Message {
  /** A message keeps its id when it is delivered again. */
  readonly id: string
  readonly body: string
}

/** The headers of a message, not yet verified. */
interface Envelope {
  readonly id: string
  /** In seconds since 1970, within five minutes of now. */
  readonly timestamp: string
  /** Signatures of the message, in base64. */
  readonly signatures: readonly string[]
  /**
   * Signatures of the same message without its body. Empty without a well-formed header, as from a sender that
   * implements only Standard Webhooks.
   */
  readonly headSignatures: readonly string[]
}

/** The header with the signature of the headers alone, which is verified before the body is read. */
const HEAD_SIGNATURE = 'vitrina-head-signature'

/** Max difference between a message's timestamp and now, in seconds. */
const TOLERANCE = 5 * 60

// These patterns also reject a repeated header, which arrives as one value joined by a comma and a space.
const ID = /^[\w.:~+/=-]{1,256}$/
const TIMESTAMP = /^\d{1,12}$/
/** At most 8 signatures, since each costs a hash of the body. */
const SIGNATURES = /^\w+,[\w+/=-]+( \w+,[\w+/=-]+){0,7}$/
/** Header value of one HMAC-SHA256 signature. */
const SIGNATURE = /^v1,([A-Za-z0-9+/]{43}=)$/

const HMAC = { name: 'HMAC', hash: 'SHA-256' }

/**
 * Returns `null` if one of the three headers of Standard Webhooks is missing, repeated or malformed, or if the
 * timestamp differs from now by more than `TOLERANCE`.
 */
export function readEnvelope(headers: Headers): Envelope | null {
  const id = findHeader(headers, 'webhook-id', ID)
  const timestamp = findHeader(headers, 'webhook-timestamp', TIMESTAMP)
  const signatures = findHeader(headers, 'webhook-signature', SIGNATURES)
  if (id === null || timestamp === null || signatures === null) return null
  if (Math.abs(Math.floor(Date.now() / 1000) - Number(timestamp)) > TOLERANCE) return null
  const head = findHeader(headers, HEAD_SIGNATURE, SIGNATURES) ?? ''
  return { id, timestamp, signatures: listSignatures(signatures), headSignatures: listSignatures(head) }
}

/**
 * Returns the first secret that matches one of the signatures; `null` if none does. All secrets must be valid: see
 * `isSecret`.
 */
export function findSigner(
  secrets: readonly string[],
  envelope: Envelope,
  body: Uint8Array,
): Promise<string | null> {
  return findSecret(secrets, envelope.signatures, createContent(envelope, body))
}

/** Returns whether one of the secrets made one of the signatures that cover only the headers. */
export async function isHeadSigned(secrets: readonly string[], envelope: Envelope): Promise<boolean> {
  return (await findSecret(secrets, envelope.headSignatures, createContent(envelope))) !== null
}

/** Returns the headers of a signed message: one signature per secret, so that the receiver needs only one of them. */
export function signMessage(
  secrets: readonly string[],
  { id, body }: Message,
  now: Date,
): Record<string, string> {
  const sign = (content: string): string =>
    secrets.map((secret) => new Webhook(secret).sign(id, now, content)).join(' ')
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': sign(body),
    [HEAD_SIGNATURE]: sign(''),
  }
}

/** Returns `null` for invalid UTF-8, because replacement characters would map different bytes to the same text. */
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

/** Returns the signatures of version `v1` in a header's value, without those of other versions. */
function listSignatures(header: string): readonly string[] {
  return header.split(' ').flatMap((one) => SIGNATURE.exec(one)?.[1] ?? [])
}

function createContent(
  { id, timestamp }: Envelope,
  body: Uint8Array = new Uint8Array(),
): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const content = new Uint8Array(head.length + body.length)
  content.set(head)
  content.set(body, head.length)
  return content
}

async function findSecret(
  secrets: readonly string[],
  signatures: readonly string[],
  content: Uint8Array<ArrayBuffer>,
): Promise<string | null> {
  for (const secret of secrets) {
    const bytes = decodeBase64(secret.slice('whsec_'.length))
    const key = await crypto.subtle.importKey('raw', bytes, HMAC, false, ['verify'])
    for (const signature of signatures)
      // `verify` takes the same time for all wrong signatures, so its duration reveals nothing about the right one.
      if (await crypto.subtle.verify('HMAC', key, decodeBase64(signature), content)) return secret
  }
  return null
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
