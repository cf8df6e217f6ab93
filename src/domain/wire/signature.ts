/**
 * Signatures of Standard Webhooks. `NOTICE_SECRET` permits notices of changed sellers and nothing else;
 * `REBUILD_SECRET` permits every call.
 */
import { Webhook } from 'standardwebhooks'

export interface CallSecrets {
  readonly notice: readonly string[]
  readonly rebuild: readonly string[]
}

export interface SignedMessage {
  /** A message keeps its id when it is delivered again. */
  readonly id: string
  /** Empty for a call without a body. */
  readonly body: string
}

/** Max length of a header. It bounds the number of signatures. */
const LONGEST = 1_000

/** Max difference between a message's time and now, in seconds. */
const TOLERANCE = 5 * 60

/** Returns the headers of a message. Each secret signs, so that the receiver needs only one of them. */
export function signMessage(
  secrets: readonly string[],
  { id, body }: SignedMessage,
  now: Date,
): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
  }
}

/** Returns whether the headers may be those of a signed message of now. A body without them need not be read. */
export function isSignable(headers: Headers): boolean {
  const { id, time, signature } = readHeaders(headers)
  const lengths = [id, signature].map(({ length }) => length)
  return (
    lengths.every((length) => length > 0 && length <= LONGEST) &&
    /^\d{1,12}$/.test(time) &&
    Math.abs(Date.now() / 1000 - Number(time)) <= TOLERANCE
  )
}

/** Returns whether one of the secrets signed the message. */
export function isSigned(secrets: readonly string[], headers: Headers, body: string): boolean {
  const { id, time, signature } = readHeaders(headers)
  const named = { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature }
  return secrets.some((secret) => {
    try {
      new Webhook(secret).verify(body, named, { jsonParse: false })
      return true
    } catch {
      return false
    }
  })
}

function readHeaders(headers: Headers): Record<'id' | 'time' | 'signature', string> {
  const read = (name: string): string => headers.get(`webhook-${name}`) ?? ''
  return { id: read('id'), time: read('timestamp'), signature: read('signature') }
}
