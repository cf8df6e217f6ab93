/**
 * Signatures of Standard Webhooks. `NOTICE_SECRET` permits notices of changed sellers and nothing else;
 * `REBUILD_SECRET` permits every call.
 */
import { Webhook } from 'standardwebhooks'

export interface CallSecrets {
  readonly notice: readonly string[]
  readonly rebuild: readonly string[]
}

/** Max length of a header. It bounds the number of signatures. */
const LONGEST = 1_000

/**
 * Returns the headers of a message, which keeps its id when it is delivered again. Each secret signs, so that the
 * receiver needs only one of them. `body` is empty for a call without one.
 */
export function signMessage(
  secrets: readonly string[],
  { id, body }: { readonly id: string; readonly body: string },
  now: Date,
): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
  }
}

/** Returns whether the headers may be those of a signed message. A body without them need not be read. */
export function isSignable(headers: Headers): boolean {
  return ['webhook-id', 'webhook-timestamp', 'webhook-signature'].every((name) => {
    const { length } = headers.get(name) ?? ''
    return length > 0 && length <= LONGEST
  })
}

/** Returns whether one of the secrets signed the message in the last five minutes. */
export function isSigned(secrets: readonly string[], headers: Headers, body: string): boolean {
  return secrets.some((secret) => {
    try {
      new Webhook(secret).verify(body, Object.fromEntries(headers), { jsonParse: false })
      return true
    } catch {
      return false
    }
  })
}
