/** Sends a notice to the site, signed according to Standard Webhooks. */
import { Webhook } from 'standardwebhooks'

export interface TriggerNotice {
  /** Id of the event. All deliveries of an event have the same id. */
  readonly id: string
  readonly sellers: readonly string[]
}

export interface Receiver {
  /** URL of the site; only its origin is used. */
  readonly site: string
  /** One secret, or the new and the old one while it is replaced, separated by a space. */
  readonly secret: string
}

/** A failure that may be temporary. Cloud Functions retries an event whose function throws this error. */
export class PassingError extends Error {
  override readonly name = 'PassingError'
}

const TIMEOUT = 20_000

/**
 * Returns `null` when the site accepted the notice, or the reason why retrying is pointless. Throws a `PassingError`
 * when a retry may succeed.
 */
export async function sendNotice(
  { site, secret }: Receiver,
  { id, sellers }: TriggerNotice,
): Promise<string | null> {
  const now = new Date()
  const secrets = secret.split(' ').filter((one) => one !== '')
  const body = JSON.stringify({
    type: 'catalogue.changed',
    timestamp: now.toISOString(),
    data: { sellers },
  })
  const { status, isChallenge } = await post(`${new URL(site).origin}/api/rebuild`, body, {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((one) => new Webhook(one).sign(id, now, body)).join(' '),
  })
  if (status >= 200 && status < 300) return null
  if (isChallenge)
    throw new PassingError(
      `Cloudflare takes the notice for a bot (status ${status}, header cf-mitigated): switch off Bot Fight Mode and Under Attack Mode for the domain in Cloudflare's dashboard`,
    )
  if (isPassing(status)) throw new PassingError(`the site answered with status ${status}`)
  return `the site answered with status ${status}, because this function sends notices in a format that the site does not accept: deploy the function from the same release as the site`
}

interface Answer {
  readonly status: number
  /** True if Cloudflare answered instead of the site, with a challenge for browsers. */
  readonly isChallenge: boolean
}

async function post(address: string, body: string, headers: Record<string, string>): Promise<Answer> {
  try {
    // A redirect is not followed, because it could send the signature to another host.
    const response = await fetch(address, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT),
    })
    await response.body?.cancel()
    return { status: response.status, isChallenge: response.headers.has('cf-mitigated') }
  } catch (error) {
    throw new PassingError('the site could not be reached', { cause: error })
  }
}

/**
 * Returns whether a retry may succeed. Only 400 and 413 are final, because they concern the notice itself. All
 * other failures may be temporary: a secret that is being replaced (401), a firewall (403), an address without the site
 * yet (404, 405), a redirect.
 */
function isPassing(status: number): boolean {
  return ![400, 413].includes(status)
}
