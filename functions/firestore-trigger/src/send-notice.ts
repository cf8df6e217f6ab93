/** Sends a notice to the site, signed as Standard Webhooks says. */
import { Webhook } from 'standardwebhooks'

export interface Notice {
  /** The same again when the same event is sent again: the site takes it once. */
  readonly id: string
  readonly sellers: readonly string[]
}

export interface Receiver {
  /** The site's origin. */
  readonly site: string
  readonly secret: string
}

/** Worth another try: whoever runs this tries again when it is thrown. */
export class PassingError extends Error {
  override readonly name = 'PassingError'
}

const TIMEOUT = 20_000

/** Throws a `PassingError`. Answers why the site will never take it, `null` when it has. */
export async function sendNotice(
  { site, secret }: Receiver,
  { id, sellers }: Notice,
): Promise<string | null> {
  const now = new Date()
  const body = JSON.stringify({
    type: 'catalogue.changed',
    timestamp: now.toISOString(),
    data: { sellers },
  })
  const status = await post(`${new URL(site).origin}/api/rebuild`, body, {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, now, body),
  })
  if (status >= 200 && status < 300) return null
  if (isPassing(status)) throw new PassingError(`the site answered ${status}`)
  return `the site answered ${status}: its address or this code is wrong`
}

async function post(address: string, body: string, headers: Record<string, string>): Promise<number> {
  try {
    // A redirect would carry the signature elsewhere.
    const response = await fetch(address, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT),
    })
    await response.body?.cancel()
    return response.status
  } catch (error) {
    throw new PassingError('the site could not be reached', { cause: error })
  }
}

/** A secret that is not accepted (401) may be accepted once its change is complete on both sides. */
function isPassing(status: number): boolean {
  return status >= 500 || [401, 408, 425, 429].includes(status)
}
